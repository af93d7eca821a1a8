import { expect, test } from "vitest";
import { dateLabel, dueLabel } from "./due-label.ts";

test("a day is described relative to today, overdue or upcoming", () => {
  const words = (day: string) => dueLabel(day, "2026-03-29");
  expect(["2026-03-29", "2026-03-30", "2026-03-28", "2026-02-27"].map(words)).toEqual([
    "Today",
    "Tomorrow",
    "1 day late",
    "30 days late",
  ]);
  expect(words("2026-04-06")).toMatch(/6/);
});

test("a day in another year includes the year", () => {
  const words = (day: string) => dueLabel(day, "2026-11-21");
  expect(words("2026-12-01")).not.toContain("2026");
  expect(words("2027-12-01")).toContain("2027");
  expect([dateLabel("2026-12-01", "2026-11-21"), dateLabel("2027-01-04", "2026-12-21")]).toEqual([
    expect.not.stringContaining("2026"),
    expect.stringContaining("2027"),
  ]);
});

test("an invalid day is shown as it is", () => expect(dueLabel("20277-11-30", "2026-11-21")).toBe("20277-11-30"));
