import { expect, test } from "vitest";
import { formatMicros } from "./format-money.ts";

test("writes micros as dollars and cents", () => {
  expect(formatMicros(0)).toBe("$0.00");
  expect(formatMicros(12_345_678)).toBe("$12.34");
  expect(formatMicros(1_234_567_890_000)).toBe("$1,234,567.89");
});

test("never shows more than there is", () => {
  expect(formatMicros(999_999)).toBe("$0.99");
  expect(formatMicros(-1)).toBe("−$0.01");
});
