import { expect, test } from "vitest";
import { readPastedNumber } from "./read-pasted-number.ts";

test.each([
  ["tel:+1-202-555-0100", "+12025550100"],
  ["tel:+442079460000;ext=12", "+442079460000"],
  ["callto:%2B4930901820", "+4930901820"],
  ["+1 202 555 0100 ext 5", "+12025550100"],
  ["Office: (202) 555-0100 x12", "2025550100"],
  ["(202) 555.0100", "2025550100"],
  ["202-555-0100", "2025550100"],
  ["Call me at +44 20 7946 0000 before 5.", "+442079460000"],
  ["Bob Stone <bob@acme.test>, +1 (202) 555‑0101", "+12025550101"],
  ["+49 (0)30 901820", "+4930901820"],
  ["٠٠٤٤٢٠", "004420"],
  ["+٤٤ ٢٠ ٧٩٤٦ ٠٠٠٠", "+442079460000"],
  ["＋４４　２０　７９４６　００００", "+442079460000"],
  ["+1 202 555 0100\n+1 202 555 0101", "+12025550100"],
  ["12025550100", "12025550100"],
  ["1-800-FLOWERS", "18003569377"],
  ["tel:+1-800-Flowers", "+18003569377"],
  ["(888) GO FEDEX", "8884633339"],
  ["*67", "*67"],
  ["911", "911"],
  ["hello there", ""],
  ["", ""],
])("%j is read as %j", (pasted, number) => {
  const read = readPastedNumber(pasted);
  // A leading 1 is the country code of the default country: both notations dial the same.
  expect(read.replace(/^1(?=\d{10}$)/, "")).toBe(number.replace(/^1(?=\d{10}$)/, ""));
});
