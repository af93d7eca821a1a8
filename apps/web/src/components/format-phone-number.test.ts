import { expect, test } from "vitest";
import { formatPhoneNumber } from "./format-phone-number.ts";

test("a number is shown in its country's groups, and anything else unchanged", () => {
  expect(formatPhoneNumber("+12025550100")).toBe("+1 202 555 0100");
  expect(formatPhoneNumber("+442079460000")).toBe("+44 20 7946 0000");
  expect(formatPhoneNumber("anonymous")).toBe("anonymous");
});
