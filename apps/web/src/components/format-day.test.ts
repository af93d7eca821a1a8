import { expect, test } from "vitest";
import { formatDay, today } from "./format-day.ts";

const now = new Date(2026, 10, 21, 23, 30);

test("a day is told as people say it, on the reader's calendar", () => {
  expect(today(now)).toBe("2026-11-21");
  expect(formatDay("2026-11-21", now)).toBe("Today");
  expect(formatDay("2026-11-22", now)).toBe("Tomorrow");
  expect(formatDay("2026-11-20", now)).toBe("Yesterday");
  expect(formatDay("2026-12-01", now)).toContain("1");
  expect(formatDay("2027-12-01", now)).toContain("2027");
});

test("what is no calendar day is told as it stands", () => expect(formatDay("20277-11-30", now)).toBe("20277-11-30"));
