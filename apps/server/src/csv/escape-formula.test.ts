import { expect, test } from "vitest";
import { escapeFormula } from "./escape-formula.ts";

test.each(["=1+1", "+1+1", "-2+3", "@SUM(A1)", '+cmd|" /C calc"!A0', "\t1", "＝1", "'=1", "+1 202 555 0100 =A1"])(
  "%s gets an apostrophe, so that no spreadsheet runs it",
  (text) => expect(escapeFormula(text)).toBe(`'${text}`),
);
test.each(["+12025550100", "+1 (202) 555 0100", "(202) 555-0100", "O'Neil", "'tis", "Stone", "", "2026-12-01"])(
  "%s is unchanged",
  (text) => expect(escapeFormula(text)).toBe(text),
);
test.each([
  [";=1+1", ";'=1+1"],
  ["Ann;=1+1;@SUM(A1)", "Ann;'=1+1;'@SUM(A1)"],
  ['Ann;"=1+1;', `Ann;"'=1+1;`],
  ["Ann;'=1", "Ann;''=1"],
  ["Ann|-1", "Ann|'-1"],
  ["Ann\n+1", "Ann\n'+1"],
  ["\t=1", "'\t'=1"],
])("%j is escaped, because with another separator a cell would begin there", (text, marked) =>
  expect(escapeFormula(text)).toBe(marked),
);
test.each(["Ann; Bob", "a;b=c", "5 - 3", "ann-bob@x.example", "a,=1"])("%s contains no such beginning", (text) =>
  expect(escapeFormula(text)).toBe(text),
);
