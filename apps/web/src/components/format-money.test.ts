import { expect, test } from "vitest";
import { alignCosts, formatExactCost, formatMicros } from "./format-money.ts";

test("formats micros as dollars and cents", () => {
  expect(formatMicros(0)).toBe("$0.00");
  expect(formatMicros(12_345_678)).toBe("$12.34");
  expect(formatMicros(1_234_567_890_000)).toBe("$1,234,567.89");
});

test("writes what a call costs to the micro", () => {
  expect([0, 20_000, 1_013_334, 1].map(formatExactCost)).toEqual(["$0.00", "$0.02", "$1.013334", "$0.000001"]);
});

test("never shows more than there is", () => {
  expect(formatMicros(999_999)).toBe("$0.99");
  expect(formatMicros(-1)).toBe("−$0.01");
});

test("formats a column of costs with as many decimals as the finest one needs", () => {
  const written = (all: number[]) => all.map(alignCosts(all));
  expect(written([1_200_000, 50_000])).toEqual(["$1.20", "$0.05"]);
  expect(written([1_200_000, 13_000])).toEqual(["$1.200", "$0.013"]);
  expect(written([1_200_000, 13_500])).toEqual(["$1.2000", "$0.0135"]);
  expect(written([])).toEqual([]);
});
