import { expect, test } from "vitest";
import { followUpDays } from "./follow-up-days.ts";

const days = (today: string, chosen: string | null = null) => followUpDays(today, chosen).map(({ day }) => day);

test("from a Wednesday: today, tomorrow, three days, Monday, a week, four weeks", () => {
  expect(days("2026-03-25")).toEqual([
    "2026-03-25",
    "2026-03-26",
    "2026-03-28",
    "2026-03-30",
    "2026-04-01",
    "2026-04-22",
  ]);
});

test("offers no day twice, and next Monday is never today", () => {
  expect(days("2026-03-29").filter((day) => day === "2026-03-30")).toHaveLength(1);
  expect(days("2026-03-30")).toEqual(["2026-03-30", "2026-03-31", "2026-04-02", "2026-04-06", "2026-04-27"]);
});

test("includes a chosen day that isn't one of these, and marks it as late if it is", () => {
  const choices = followUpDays("2026-03-25", "2026-03-20");
  expect(choices[0]).toMatchObject({ day: "2026-03-20", label: expect.stringContaining("5 days late") });
  expect(days("2026-03-25", "2026-03-27")).toContain("2026-03-27");
});

test("days in another year, chosen or offered in December, include the year", () => {
  const choices = followUpDays("2026-12-28", "2028-03-01");
  expect(choices.filter(({ label }) => label.includes("2027")).map(({ day }) => day)).toEqual([
    "2027-01-04",
    "2027-01-25",
  ]);
  expect(choices.at(-1)).toMatchObject({ day: "2028-03-01", label: expect.stringContaining("2028") });
  expect(followUpDays("2026-01-04", "2025-12-30")[0]?.label).toMatch(/5 days late.*2025/);
});
