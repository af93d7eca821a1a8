import { expect, it } from "vitest";
import { readCsv } from "./read-csv.ts";

it.each([
  ["", []],
  [
    '"Id","Name"\n"1","Ada"\n',
    [
      ["Id", "Name"],
      ["1", "Ada"],
    ],
  ],
  [
    'a,b\r\n,"x"\r\n',
    [
      ["a", "b"],
      ["", "x"],
    ],
  ],
  ['"says ""hi"", twice\nover two lines",""', [['says "hi", twice\nover two lines', ""]]],
  ["1,", [["1", ""]]],
  ['"Zoë 🚀"', [["Zoë 🚀"]]],
])("%j is %j", (text, rows) => expect(readCsv(text)).toEqual(rows));

it("refuses a text that ends within a quoted cell", () => {
  expect(() => readCsv('"Id"\n"00Q')).toThrow("a quoted cell has no end");
});
