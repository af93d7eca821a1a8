import { expect, test } from "vitest";
import { addDays, dayIn, formatDuration, formatFullTime, formatHour, formatWhen, isOtherClock } from "./format-time.ts";

test("durations count up to hours and days of them, and a sum like the calls it adds up", () => {
  expect([0, 9_999, 161_000, 3_600_000, 3_761_000, 363_599_000].map(formatDuration)).toEqual([
    "0:00",
    "0:09",
    "2:41",
    "1:00:00",
    "1:02:41",
    "100:59:59",
  ]);
});

test("days follow the calendar, across clock changes", () => {
  expect(dayIn("Europe/Berlin", new Date("2026-03-28T23:30:00Z"))).toBe("2026-03-29");
  expect(dayIn("America/New_York", new Date("2026-03-29T03:59:59Z"))).toBe("2026-03-28");
  expect([addDays("2026-03-28", 2), addDays("2026-03-01", -1)]).toEqual(["2026-03-30", "2026-02-28"]);
});

test("a day is named by the reader's calendar, not by 24 hours", () => {
  const now = new Date(2026, 2, 2, 0, 30);
  expect(formatWhen(new Date(2026, 2, 2, 0, 10).toISOString(), now)).not.toContain("Yesterday");
  expect(formatWhen(new Date(2026, 2, 1, 23, 50).toISOString(), now)).toContain("Yesterday");
  expect(formatWhen(new Date(2025, 11, 31).toISOString(), now)).toContain("2025");
});

test("a time of day is written as in the reader's language", () => {
  const morning = new Date(2026, 2, 2, 9, 5);
  const written = new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(morning);
  expect(formatWhen(morning.toISOString(), morning)).toBe(written);
  expect(formatHour(9)).toBe(written.replace("05", "00"));
  expect(new Intl.DateTimeFormat("en-US", { timeStyle: "short" }).format(morning)).toMatch(/^9:05\sAM$/);
});

test("another clock is one that shows another time now, whatever its time zone is called", () => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const now = new Date("2026-11-21T20:00:00Z");
  expect(isOtherClock(own, now)).toBe(false);
  expect(isOtherClock("Pacific/Kiritimati", now)).toBe(true);
  expect(isOtherClock("Asia/Tokyo", now)).toBe(isOtherClock("Asia/Seoul", now));
});

test("on another clock a time is that clock's, with its day, and the full form names the zone", () => {
  const now = new Date("2026-11-21T20:00:00Z");
  const at = (timeZone: string) => formatWhen("2026-11-21T14:30:00Z", now, timeZone);
  const written = (timeZone: string) =>
    new Intl.DateTimeFormat(undefined, { timeStyle: "short", timeZone }).format(new Date("2026-11-21T14:30:00Z"));
  expect(at("America/New_York")).toBe(written("America/New_York"));
  expect(at("Asia/Tokyo")).toBe(`Yesterday ${written("Asia/Tokyo")}`);
  expect(formatFullTime("2026-11-21T14:30:00Z", "Pacific/Kiritimati")).toMatch(/GMT\+14|UTC\+14/);
});
