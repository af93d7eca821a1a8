import { expect, test } from "vitest";
import { createGate } from "./gate.ts";

const [tooFast, tooMany] = [
  { status: 503, reason: "too fast" },
  { status: 503, reason: "too many" },
];
const openGate = () => createGate({ limits: { callsPerSecond: 5, channels: null }, tooFast, tooMany });
const refusedOf = (atMs: readonly number[]): number => {
  const gate = openGate();
  return atMs.filter((ms) => gate.whyRefused("trunk", ms) !== null).length;
};

test("five calls in any second pass, however they are spaced, and a sixth is refused", () => {
  expect(refusedOf([0, 0, 0, 0, 0, 700])).toBe(1);
  expect(refusedOf([0, 0, 0, 0, 0, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000])).toBe(1);
  expect(refusedOf(Array.from({ length: 50 }, (_, n) => n * 220))).toBe(0);
  // Ten in the first second.
  expect(refusedOf([0, 0, 0, 0, 0, 200, 300, 400, 500, 600])).toBe(5);
});

test("a refused call doesn't count, and another trunk's calls don't either", () => {
  expect(refusedOf([0, 0, 0, 0, 0, 500, 600, 1_000, 1_000, 1_000, 1_000, 1_000])).toBe(2);
  const gate = openGate();
  for (let call = 0; call < 5; call++) gate.whyRefused("trunk", 0);
  expect([gate.whyRefused("other", 0), gate.whyRefused("trunk", 0)]).toEqual([null, tooFast]);
});
