import type { Call } from "@leadline/contract/calls";
import { expect, test } from "vitest";
import { callsOfDay, coversDay, dayFigures } from "./day-figures.ts";

const call = (status: Call["status"], createdAt: Date, durationMs = 0): Call => ({
  callSid: `CA${"0".repeat(32)}`,
  direction: "outbound",
  status,
  phoneNumber: "+12025550100",
  userId: "0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a11",
  userName: "Grace Hollis",
  carrier: "sandbox",
  createdAt: createdAt.toISOString(),
  answeredAt: null,
  endedAt: null,
  durationMs,
  cause: null,
  muted: false,
  held: false,
  mediaConnectionId: null,
  canHold: true,
  setupMs: null,
  costMicros: 0,
  note: "",
  outcome: null,
  leads: [],
  followUpOn: null,
});
const now = new Date(2026, 5, 10, 12);
const today = new Date(2026, 5, 10, 9);
const yesterday = new Date(2026, 5, 9, 23, 59);

test("a live call counts as a call and as nothing else", () => {
  const figures = dayFigures([call("in-progress", today), call("completed", today, 60_000), call("busy", today)]);
  expect(figures).toEqual({ calls: 3, ended: 2, answered: 1, notAnswered: 1, failed: 0, talkMs: 60_000 });
});

test("days part at the reader's midnight", () => {
  const calls = [call("busy", today), call("busy", yesterday)];
  expect(callsOfDay(calls, now, 0)).toHaveLength(1);
  expect(callsOfDay(calls, now, 1)).toHaveLength(1);
});

test("a page of calls covers a day only when it reaches behind it", () => {
  const page = [call("busy", today), call("busy", yesterday)];
  expect(coversDay(page, { complete: false, now, daysAgo: 0 })).toBe(true);
  expect(coversDay(page, { complete: false, now, daysAgo: 1 })).toBe(false);
  expect(coversDay(page, { complete: true, now, daysAgo: 1 })).toBe(true);
});
