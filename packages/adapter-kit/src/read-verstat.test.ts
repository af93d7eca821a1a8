import { confirmsNumber } from "@leadline/contract/caller-verification";
import { expect, test } from "vitest";
import { readVerstat } from "./read-verstat.ts";

test.each([
  ["TN-Validation-Passed", "passed", true],
  ["TN-Validation-Passed-A", "passed-a", true],
  ["TN-Validation-Passed-B", "passed-b", false],
  [" tn-validation-passed-c ", "passed-c", false],
  ["TN-Validation-Failed", "failed", false],
  ["TN-Validation-Failed-A", "failed-a", false],
  ["TN-Validation-Failed-B", "failed-b", false],
  ["TN-Validation-Failed-C", "failed-c", false],
  ["No-TN-Validation", "none", false],
  ["TN-Validation-Passed-A-By-Me", "none", false],
] as const)("%s means %s", (verstat, verification, confirms) => {
  expect(readVerstat(verstat)).toBe(verification);
  expect(confirmsNumber(verification)).toBe(confirms);
});

test("no verstat means that the network doesn't say", () => {
  expect([undefined, null, "", "  "].map(readVerstat)).toEqual([null, null, null, null]);
});
