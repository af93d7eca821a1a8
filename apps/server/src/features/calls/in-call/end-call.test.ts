import { expect, test, vi } from "vitest";
import type { CallDeps } from "../call-deps.ts";
import { createLiveCalls } from "../live-calls.ts";
import { endCall } from "./end-call.ts";

test("two calls bridged without their rep end for the same reason, whatever else would end the second meanwhile", async () => {
  const liveCalls = createLiveCalls();
  const deps = {
    liveCalls,
    mediaPlane: { close: async () => {} },
    database: { withTransaction: () => new Promise(() => {}) },
    log: { warn() {} },
  } as unknown as CallDeps;
  const leftCall = (callSid: string) => {
    const of = { organisationId: "o", userId: "u", carrierId: "c", startedAtMs: 0, connection: null };
    const live = liveCalls.begin({ ...of, callSid, carrierLegId: callSid, line: null });
    const hangUp = vi.fn<() => Promise<void>>().mockResolvedValue();
    live.status = "in-progress";
    live.leg = { hangUp } as Partial<typeof live.leg> as typeof live.leg;
    return { live, hangUp };
  };
  const [first, second] = [leftCall("1"), leftCall("2")];
  first.live.joinedWith = second.live;
  second.live.joinedWith = first.live;

  void endCall(deps, first.live, { reason: "hung-up-there", sip: null, q850: 16 });
  void endCall(deps, second.live, { reason: "server-restarted", sip: null, q850: 41 });
  await vi.waitFor(() => expect(second.hangUp).toHaveBeenCalled());
  // Neither far end is sent a reason for the restart.
  expect([first.hangUp.mock.calls, second.hangUp.mock.calls]).toEqual([[[undefined]], [[undefined]]]);
});
