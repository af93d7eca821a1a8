import { expect, test } from "vitest";
import { flatRate } from "../../../testing/flat-rate.ts";
import { cutOffAtHeld, cutOffs } from "./cut-offs.ts";

const horizonMs = 120_000;
const running = (callSid: string, elapsedMs: number, pricePerMinuteMicros = 10_000) => ({
  callSid,
  userId: "ada" as string | null,
  elapsedMs,
  rate: flatRate(pricePerMinuteMicros),
  heldMicros: null as number | null,
});
const cut = (calls: ReturnType<typeof running>[], bounds: Partial<Parameters<typeof cutOffs>[1]>) => {
  const wide = { remainingMicros: 1_000_000, longestMs: 3_600_000, fundsMicros: 0, members: new Map() };
  return Object.fromEntries(cutOffs(calls, { ...wide, ...bounds }, horizonMs));
};

test("a call with money and time left is not cut off", () => {
  expect(cut([running("a", 30_000)], {})).toEqual({});
});

test("a call ends one second before the first minute that costs more than is left", () => {
  const expected = { a: { inMs: 89_000, reason: "spending-limit" } };
  expect(cut([running("a", 30_000)], { remainingMicros: 10_000 })).toEqual(expected);
  expect(cut([running("a", 30_000)], { remainingMicros: 19_999 })).toEqual(expected);
  expect(cut([running("a", 30_000)], { remainingMicros: 0 })).toEqual({
    a: { inMs: 29_000, reason: "spending-limit" },
  });
  expect(cut([running("a", 59_500)], { remainingMicros: -10_000 })).toEqual({
    a: { inMs: 0, reason: "spending-limit" },
  });
});

test("of several calls, the one whose minute begins first gets what is left; an expensive call ends where a cheap one continues", () => {
  const calls = [running("late", 10_000), running("early", 50_000)];
  expect(cut(calls, { remainingMicros: 10_000 })).toEqual({
    late: { inMs: 49_000, reason: "spending-limit" },
    early: { inMs: 69_000, reason: "spending-limit" },
  });
  expect(cut([running("dear", 50_000, 100_000), running("cheap", 40_000, 1_000)], { remainingMicros: 2_000 })).toEqual({
    dear: { inMs: 9_000, reason: "spending-limit" },
  });
});

test("a free call continues when the money is used up, and a call that is cut off pays for no further minute", () => {
  expect(cut([running("free", 30_000, 0)], { remainingMicros: 0 })).toEqual({});
  const calls = [running("dear", 50_000, 100_000), running("other", 40_000)];
  expect(Object.keys(cut(calls, { remainingMicros: 20_000 }))).toEqual(["dear"]);
});

test("a call ends at the maximum length, and at once if the maximum is lowered below its length", () => {
  const bounds = { longestMs: 600_000 };
  expect(cut([running("a", 500_000)], bounds)).toEqual({ a: { inMs: 99_000, reason: "call-length-limit" } });
  expect(cut([running("a", 700_000)], bounds)).toEqual({ a: { inMs: 0, reason: "call-length-limit" } });
  expect(cut([running("a", 400_000)], bounds)).toEqual({});
  const both = cut([running("a", 530_000)], { longestMs: 600_000, remainingMicros: 0 });
  expect(both).toEqual({ a: { inMs: 9_000, reason: "spending-limit" } });
});

test("a member’s own limits end only that member’s calls, whatever the organisation has left", () => {
  const calls = [running("a", 50_000), running("b", 40_000), { ...running("c", 50_000), userId: "bob" }];
  const members = new Map([["ada", { remainingMicros: 10_000, longestMs: Infinity }]]);
  expect(cut(calls, { members })).toEqual({
    a: { inMs: 69_000, reason: "member-spending-limit" },
    b: { inMs: 19_000, reason: "member-spending-limit" },
  });
  const short = new Map([["bob", { remainingMicros: Infinity, longestMs: 60_000 }]]);
  expect(cut(calls, { members: short })).toEqual({ c: { inMs: 9_000, reason: "member-call-length-limit" } });
  const both = { c: { inMs: 9_000, reason: "call-length-limit" } };
  expect(cut(calls, { members: short, longestMs: 60_000 })).toMatchObject(both);
  const broke = cut(calls, { members, remainingMicros: 0 });
  expect(broke).toMatchObject({ a: { inMs: 9_000, reason: "spending-limit" } });
});

const prepaid = (callSid: string, elapsedMs: number, heldMicros: number) => ({
  ...running(callSid, elapsedMs),
  heldMicros,
});

test("a prepaid call ends before the first minute that the balance doesn't cover; others don't draw on it", () => {
  const calls = [prepaid("a", 30_000, 10_000), running("b", 30_000)];
  expect(cut(calls, { fundsMicros: 10_000 })).toEqual({ a: { inMs: 89_000, reason: "balance-used-up" } });
  expect(cut(calls, { fundsMicros: 20_000 })).toEqual({});
});

test("a call's hold lasts until its next stretch costs more", () => {
  const inMs = (heldMicros: number) => cutOffAtHeld(prepaid("a", 50_000, heldMicros), 15_000)?.inMs;
  expect([inMs(10_000), inMs(19_999), inMs(20_000)]).toEqual([9_000, 9_000, undefined]);
  expect(cutOffAtHeld(running("a", 50_000), 15_000)).toBeNull();
});
