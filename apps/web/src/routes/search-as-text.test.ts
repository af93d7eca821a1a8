import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "./search-as-text.ts";

test("a search text survives the round trip through the address, whatever it looks like", () => {
  for (const text of ["true", "20", "1e3", "[1]", "{}", "null", "a b", "50%", "Müller & Söhne", '"quoted"'])
    expect(parseSearch(stringifySearch({ search: text, tab: undefined }))).toEqual({ search: text });
  expect(stringifySearch({ search: "20" })).toBe("?search=20");
  expect(stringifySearch({ search: undefined })).toBe("");
});
