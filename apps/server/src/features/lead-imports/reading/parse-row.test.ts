import { stringify } from "csv-stringify/sync";
import { array, assert, constantFrom, property, string } from "fast-check";
import { expect, test } from "vitest";
import { parseRow } from "./parse-row.ts";

const how = { delimiter: ",", isEndOfFile: true, rowNumber: 1 };

function parseAll(text: string): string[][] {
  const bytes = Buffer.from(text);
  const rows: string[][] = [];
  for (let at = 0; at < bytes.length;) {
    const row = parseRow(bytes, at, how);
    if (row === null) throw new Error("a whole file was taken for a part");
    rows.push(row.cells);
    at = row.end;
  }
  return rows;
}

test.each<[string, string[][]]>([
  [
    "a,b\nc,d\n",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ["a,b\n\n,\n", [["a", "b"], [""], ["", ""]]],
  ['"a,""b""\nc",d', [['a,"b"\nc', "d"]]],
  ['5" pipe,"6" pipe,a"b"\n', [['5" pipe', '"6" pipe', 'a"b"']]],
  ['"",""', [["", ""]]],
  ["a,", [["a", ""]]],
  ["Zoë,🚀\n", [["Zoë", "🚀"]]],
])("reads %j", (text, rows) => expect(parseAll(text)).toEqual(rows));

test("reads any cells that can be written", () => {
  const cell = string({ unit: constantFrom('"', ",", "\n", ";", "a", " ", "ë", "🚀") });
  assert(
    property(array(array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 5 }), (rows) => {
      expect(parseAll(stringify(rows))).toEqual(rows);
    }),
  );
});

test("returns no row for a partial one, wherever the bytes end", () => {
  const whole = Buffer.from('"Zoë ""Z""",b\n');
  for (let length = 0; length < whole.length; length += 1)
    expect(parseRow(whole.subarray(0, length), 0, { ...how, isEndOfFile: false })).toBeNull();
});
