import { expect, test } from "vitest";
import { isOpenAt } from "./opening-hours.ts";

const hours = {
  timeZone: "America/New_York",
  openingHours: [{ day: "monday", opensAt: "09:00", closesAt: "17:00" }],
} as const;
const openAt = (moment: string) => isOpenAt({ ...hours, openingHours: [...hours.openingHours] }, new Date(moment));

test("an organisation is open from its opening to its closing time, in its own time zone", () => {
  // A Monday. New York is five hours behind UTC in January and four in July.
  expect(openAt("2026-01-12T13:59:59Z")).toBe(false);
  expect(openAt("2026-01-12T14:00:00Z")).toBe(true);
  expect(openAt("2026-01-12T21:59:59Z")).toBe(true);
  expect(openAt("2026-01-12T22:00:00Z")).toBe(false);
  expect(openAt("2026-07-13T13:00:00Z")).toBe(true);
});

test("a day without hours is closed, by the organisation's own calendar day", () => {
  expect(openAt("2026-01-13T15:00:00Z")).toBe(false);
  expect(
    isOpenAt(
      { timeZone: "Pacific/Auckland", openingHours: [{ day: "tuesday", opensAt: "08:00", closesAt: "18:00" }] },
      new Date("2026-01-12T20:00:00Z"),
    ),
  ).toBe(true);
});

test("an organisation without opening hours is always open", () => {
  expect(isOpenAt({ timeZone: "UTC", openingHours: [] }, new Date("2026-01-11T03:00:00Z"))).toBe(true);
});
