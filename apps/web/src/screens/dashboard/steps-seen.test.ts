// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { stepsSeen } from "./steps-seen.ts";

test("what was seen of one organisation's first steps says nothing of another's", () => {
  expect(stepsSeen.wasDone("harbour", "Get a number")).toBeUndefined();
  stepsSeen.keep("harbour", ["Make an organisation", "Get a number"]);
  expect(stepsSeen.wasDone("harbour", "Get a number")).toBe(true);
  expect(stepsSeen.wasDone("harbour", "Connect a CRM")).toBe(false);
  expect(stepsSeen.wasDone("pilot", "Get a number")).toBeUndefined();
  stepsSeen.keep("harbour", []);
  expect(stepsSeen.wasDone("harbour", "Get a number")).toBe(false);
});
