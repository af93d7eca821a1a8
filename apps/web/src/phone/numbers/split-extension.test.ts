import { expect, test } from "vitest";
import { splitExtension } from "./split-extension.ts";

test.each([
  ["+1 202 555 0100 ext 5", "+1 202 555 0100", "5"],
  ["+1 202 555 0100 ext. 512", "+1 202 555 0100", "512"],
  ["(202) 555-0100 Extension: 77", "(202) 555-0100", "77"],
  ["202-555-0100x12", "202-555-0100", "12"],
  ["202-555-0100 x 12", "202-555-0100", "12"],
  ["+442079460000, ext 3", "+442079460000", "3"],
  ["tel:+442079460000;ext=12", "tel:+442079460000", "12"],
  ["+1 202 555 0100", "+1 202 555 0100", ""],
  ["1-800-FLOWERS", "1-800-FLOWERS", ""],
  ["1-800-TAX-1040", "1-800-TAX-1040", ""],
  ["+1 202 555 0100 ext", "+1 202 555 0100 ext", ""],
  ["x5", "x5", ""],
  ["*67", "*67", ""],
])("%j is the number %j with the extension %j", (text, number, extension) => {
  expect(splitExtension(text)).toEqual({ number, extension });
});
