import { expect, test } from "vitest";
import { levelOf } from "./measure-level.ts";

test("silence is 0, full scale is 1, and speech is in between", () => {
  expect(levelOf(new Float32Array(64))).toBe(0);
  expect(levelOf(new Float32Array(64).fill(1))).toBe(1);
  const speech = levelOf(new Float32Array(64).fill(0.05));
  expect(speech).toBeGreaterThan(0.5);
  expect(speech).toBeLessThan(0.75);
});
