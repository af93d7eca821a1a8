import { expect, test, vi } from "vitest";
import type { CallDeps } from "../call-deps.ts";
import { createLiveCalls } from "../live-calls.ts";
import { followCarrierLeg } from "./follow-carrier-leg.ts";

test("a prepaid call that is answered while the database is unreachable ends when its first minute is used up", async () => {
  vi.useFakeTimers();
  const liveCalls = createLiveCalls();
  const deps = {
    liveCalls,
    mediaPlane: { acceptCarrierAnswer: async () => {}, close: async () => {} },
    database: { withTransaction: () => new Promise(() => {}) },
    log: { warn() {}, error() {} },
  } as unknown as CallDeps;
  const of = { organisationId: "o", userId: "u", carrierId: "c", startedAtMs: 0, connection: null };
  const prepaid = liveCalls.begin({ ...of, callSid: "1", carrierLegId: "1", paidForMs: 60_000 });
  const metered = liveCalls.begin({ ...of, callSid: "2", carrierLegId: "2", paidForMs: null });
  for (const live of [prepaid, metered]) void followCarrierLeg(deps, live, { type: "answered", answer: "" });
  await vi.advanceTimersByTimeAsync(58_900);
  expect([prepaid.status, metered.status]).toEqual(["in-progress", "in-progress"]);
  await vi.advanceTimersByTimeAsync(200);
  expect([prepaid.status, metered.status]).toEqual(["completed", "in-progress"]);
  vi.useRealTimers();
});
