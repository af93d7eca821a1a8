import { expect, test } from "vitest";
import { lastMonths, monthName } from "./months.ts";

test("goes back across the turn of the year", () => {
  expect(lastMonths("2026-02", 4)).toEqual(["2026-02", "2026-01", "2025-12", "2025-11"]);
});

test("names a month in any time zone", () => {
  expect(monthName("2026-11")).toContain("2026");
  expect(new Set(lastMonths("2026-12", 12).map(monthName)).size).toBe(12);
});
