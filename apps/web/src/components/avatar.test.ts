import { expect, test } from "vitest";
import { initialsOf } from "./avatar.tsx";

test.each([
  ["bob", "stone", "BS"],
  ["🚀 Rocket", "e\u0301mile", "🚀E\u0301"],
  ["👩‍🚀", "🇩🇪", "👩‍🚀🇩🇪"],
  ["Cher", "", "C"],
])("the initials of %s %s are %s: whole letters, and whole emoji", (firstName, lastName, initials) => {
  expect(initialsOf({ firstName, lastName })).toBe(initials);
});
