import { expect, test } from "vitest";
import { areaCodeOf } from "./area-code-of.ts";

test.each([
  ["+12025550100", "1 202"],
  ["+18764561234", "1 876"],
  ["+442079460123", "44 20"],
  ["+441534123456", "44 1534"],
  ["+4930123456", "49 30"],
  ["+33123456789", "33 1"],
  ["+390612345678", "39 06"],
  ["+5511912345678", "55 11"],
])("returns the area code of %s: %s", (number, area) => {
  expect(areaCodeOf(number)).toBe(area);
});

test.each([
  ["a mobile number that belongs to no area", "+4915112345678"],
  ["a toll-free number", "+18005550100"],
  ["a country without area codes", "+4532123456"],
  ["half a number", "+1202"],
  ["no number", "Alice"],
])("returns null for %s", (_what, number) => {
  expect(areaCodeOf(number)).toBeNull();
});
