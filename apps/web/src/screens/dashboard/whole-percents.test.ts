import { array, assert, nat, pre, property } from "fast-check";
import { expect, test } from "vitest";
import { wholePercents } from "./whole-percents.ts";

test("shares add up to 100, even if rounding them individually would not", () => {
  expect(wholePercents([1, 7])).toEqual([13, 87]);
  expect(wholePercents([1, 1, 1])).toEqual([34, 33, 33]);
  expect(wholePercents([5])).toEqual([100]);
  expect(wholePercents([0, 0])).toEqual([0, 0]);
});

test("rounds every exact share up or down", () => {
  assert(
    property(array(nat(100_000), { minLength: 1, maxLength: 12 }), (counts) => {
      const total = counts.reduce((sum, count) => sum + count, 0);
      pre(total > 0);
      const percents = wholePercents(counts);
      expect(percents.reduce((sum, percent) => sum + percent, 0)).toBe(100);
      for (const [index, percent] of percents.entries())
        expect(Math.abs(percent - ((counts[index] ?? 0) * 100) / total)).toBeLessThan(1);
    }),
    { numRuns: 200 },
  );
});
