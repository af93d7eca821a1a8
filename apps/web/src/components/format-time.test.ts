import { expect, test } from "vitest";
import { formatDuration, formatSpan, formatWhen } from "./format-time.ts";

test("durations count up to hours", () => {
  expect([0, 9_999, 161_000, 3_761_000].map(formatDuration)).toEqual(["0:00", "0:09", "2:41", "1:02:41"]);
});

test("a sum reads as the one call it may be of, and loses its seconds from an hour on", () => {
  expect([8_600, 45_000, 719_999, 3_600_000, 3_959_999].map(formatSpan)).toEqual([
    "0:08",
    "0:45",
    "11:59",
    "1 h",
    "1 h 5 min",
  ]);
});

test("a day is named by the reader's calendar, not by 24 hours", () => {
  const now = new Date(2026, 2, 2, 0, 30);
  expect(formatWhen(new Date(2026, 2, 2, 0, 10).toISOString(), now)).not.toContain("Yesterday");
  expect(formatWhen(new Date(2026, 2, 1, 23, 50).toISOString(), now)).toContain("Yesterday");
  expect(formatWhen(new Date(2025, 11, 31).toISOString(), now)).toContain("2025");
});
