import { expect, test } from "vitest";
import { nextWorkingDay } from "./next-working-day.ts";

const hours = { opensAt: "09:00", closesAt: "17:00" };

test("the next working day is the next day with opening hours", () => {
  const saturdays = [{ day: "saturday" as const, ...hours }];
  expect(nextWorkingDay("2026-11-27", saturdays)).toBe("2026-11-28");
  expect(nextWorkingDay("2026-11-28", saturdays)).toBe("2026-12-05");
  const all = [{ day: "tuesday" as const, ...hours }, ...saturdays];
  expect(nextWorkingDay("2026-12-28", all)).toBe("2026-12-29");
});

test("is Monday to Friday without opening hours, across the end of a month and a year", () => {
  expect(nextWorkingDay("2026-12-31", [])).toBe("2027-01-01");
  expect(nextWorkingDay("2027-01-01", [])).toBe("2027-01-04");
  expect(nextWorkingDay("2026-11-29", [])).toBe("2026-11-30");
});
