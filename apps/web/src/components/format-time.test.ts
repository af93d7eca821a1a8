import { expect, test } from "vitest";
import { formatDuration, formatSpan, formatWhen } from "./format-time.ts";

test("durations count up to hours", () => {
  expect([0, 9_999, 161_000, 3_761_000].map(formatDuration)).toEqual(["0:00", "0:09", "2:41", "1:02:41"]);
});

test("sums lose their seconds as they grow", () => {
  expect([45_000, 720_000, 3_600_000, 3_900_000].map(formatSpan)).toEqual(["45 s", "12 min", "1 h", "1 h 5 min"]);
});

test("a day is named by the reader's calendar, not by 24 hours", () => {
  const now = new Date(2026, 2, 2, 0, 30);
  expect(formatWhen(new Date(2026, 2, 2, 0, 10).toISOString(), now)).not.toContain("Yesterday");
  expect(formatWhen(new Date(2026, 2, 1, 23, 50).toISOString(), now)).toContain("Yesterday");
  expect(formatWhen(new Date(2025, 11, 31).toISOString(), now)).toContain("2025");
});
