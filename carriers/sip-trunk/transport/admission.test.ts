import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { createAdmission } from "./admission.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const open = () => createAdmission(() => false);
const anHourMs = 3_600_000;
/** How many of 2,000 at once are taken. */
const countTaken = (take: (i: number) => boolean): number =>
  Array.from({ length: 2_000 }, (_, i) => take(i)).filter(Boolean).length;

it("an address that DNS has not named for an hour begins no more calls, and continues those that it has", () => {
  const admission = open();
  admission.admit(["192.0.2.1", "192.0.2.2"]);
  admission.allowToContinue("192.0.2.1");
  admission.admit(["192.0.2.3"]);
  expect(admission.mayBegin("192.0.2.1")).toBe(true);
  vi.advanceTimersByTime(anHourMs + 1);
  // Nothing has been looked up since: the trunk is idle.
  expect(admission.mayBegin("192.0.2.1")).toBe(true);
  admission.admit(["192.0.2.3"]);
  const addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];
  expect(addresses.map(admission.mayBegin)).toEqual([false, false, true]);
  expect(addresses.map(admission.isKnown)).toEqual([true, false, true]);
});

it("addresses that turn out to be another organisation's begin no more calls", () => {
  const admission = open();
  admission.admit(["192.0.2.1"]);
  admission.admit([]);
  expect(admission.isKnown("192.0.2.1")).toBe(false);
});

it("a trunk's addresses together begin at most 400 calls at once and 100 a second, one of them half of that", () => {
  const admission = open();
  const ofOne = () => countTaken(() => admission.takesAnother("192.0.2.1"));
  const ofAll = () => countTaken((i) => admission.takesAnother(`192.0.2.${i % 20}`));
  expect([ofOne(), ofAll()]).toEqual([200, 200]);
  vi.advanceTimersByTime(1_000);
  expect([ofOne(), ofAll()]).toEqual([50, 50]);
});

it("an address gets no further calls by being followed by others, however many", () => {
  const admission = open();
  expect(countTaken(() => admission.takesAnother("192.0.2.1"))).toBe(200);
  for (let i = 0; i < 1_500; i++) admission.takesAnother(i % 100 === 0 ? "192.0.2.1" : `198.51.${i >> 8}.${i & 255}`);
  vi.advanceTimersByTime(1_000);
  expect(countTaken(() => admission.takesAnother("192.0.2.1"))).toBe(50);
});

it("the calls of a trunk take 400 requests at once and 200 a second", () => {
  const admission = open();
  expect(countTaken(admission.takesInCall)).toBe(400);
  vi.advanceTimersByTime(1_000);
  expect(countTaken(admission.takesInCall)).toBe(200);
});
