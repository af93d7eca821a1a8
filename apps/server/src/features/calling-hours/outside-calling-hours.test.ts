import type { OpeningHours } from "@leadline/contract/organisations";
import { expect, test } from "vitest";
import { outsideCallingHours } from "./outside-calling-hours.ts";
import { timeZonesOfNumber } from "./time-zones-of-number.ts";

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday"] as const;
const hours: OpeningHours = weekdays.map((day) => ({ day, opensAt: "08:00", closesAt: "21:00" }));
/** A Wednesday in winter: 09:30 in Berlin, 03:30 in New York, 00:30 in Los Angeles. */
const morningInBerlin = new Date("2026-01-14T08:30:00Z");

test("a number’s time zone is that of its longest known prefix", () => {
  expect(timeZonesOfNumber("+4930901820")).toEqual(["Europe/Berlin"]);
  expect(timeZonesOfNumber("+12025550100")).toEqual(["America/New_York"]);
  expect(timeZonesOfNumber("+13105550100")).toEqual(["America/Los_Angeles"]);
  expect(timeZonesOfNumber("+18005550100").length).toBeGreaterThan(20);
  expect(timeZonesOfNumber("+99912345")).toEqual([]);
});

test("a call is within calling hours by the callee’s clock, not the caller’s", () => {
  expect(outsideCallingHours(hours, "+4930901820", morningInBerlin)).toBeNull();
  expect(outsideCallingHours(hours, "+12025550100", morningInBerlin)).toBe(
    "It’s 03:30 on Wednesday where this number is (New York), outside your calling hours.",
  );
});

test("summer time counts, and so does the day there", () => {
  const closing = (utc: string) => outsideCallingHours(hours, "+4930901820", new Date(utc));
  expect([closing("2026-01-14T19:30:00Z"), closing("2026-07-15T18:30:00Z")]).toEqual([null, null]);
  expect(closing("2026-07-15T19:30:00Z")).toContain("21:30 on Wednesday");
  // Saturday in Sydney, still Friday in Berlin.
  expect(outsideCallingHours(hours, "+61291234567", new Date("2026-01-16T22:00:00Z"))).toContain("09:00 on Saturday");
});

test("a number that may be in several time zones is only called within the hours of all of them", () => {
  // 12082: Boise or Los Angeles, an hour apart.
  const idaho = (utc: string) => outsideCallingHours(hours, "+12083000000", new Date(utc));
  expect(idaho("2026-01-14T15:30:00Z")).toBe(
    "This number may be in Los Angeles, where it’s 07:30 on Wednesday, outside your calling hours.",
  );
  expect(idaho("2026-01-14T16:30:00Z")).toBeNull();
});

test("without hours, for freephone numbers and in unknown time zones, calls are always allowed", () => {
  expect(outsideCallingHours([], "+12025550100", morningInBerlin)).toBeNull();
  expect(outsideCallingHours(hours, "+18005550100", morningInBerlin)).toBeNull();
  expect(outsideCallingHours(hours, "+99912345", morningInBerlin)).toBeNull();
});
