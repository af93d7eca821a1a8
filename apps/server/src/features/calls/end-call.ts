import { setTimeout as wait } from "node:timers/promises";
import type { CallStatus, HangUpCause } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import type { CallDeps } from "./call-deps.ts";
import { changeLiveCall } from "./change-live-call.ts";
import type { LiveCall } from "./live-calls.ts";

const unansweredStatus = {
  "hung-up-here": "canceled",
  "hung-up-there": "no-answer",
  canceled: "canceled",
  busy: "busy",
  "no-answer": "no-answer",
  rejected: "busy",
  "number-unknown": "failed",
  "network-failure": "failed",
  left: "canceled",
  "server-restarted": "failed",
  error: "failed",
} as const satisfies Record<HangUpCause["reason"], CallStatus>;

const longestRetryMs = 5000;

/**
 * Ends the call: silence at once, both sides told, the end written down. The first end wins; later ones await it.
 * While the database is away the end is written again and again, for no call may stay in progress for ever.
 */
export function endCall(deps: CallDeps, live: LiveCall, cause: HangUpCause): Promise<Call | null> {
  live.ending ??= end(deps, live, cause);
  return live.ending;
}

async function end(deps: CallDeps, live: LiveCall, cause: HangUpCause): Promise<Call | null> {
  const durationMs = live.answeredAtMs === null ? 0 : Math.round(performance.now() - live.answeredAtMs);
  const status = live.answeredAtMs === null ? unansweredStatus[cause.reason] : "completed";
  live.status = status;
  await Promise.all([
    live.leg
      ?.hangUp()
      .catch((error: unknown) => deps.log.warn({ err: error, callSid: live.callSid }, "hang-up failed")),
    deps.mediaPlane.close(live.carrierLegId),
  ]);
  return live.inOrder(async () => {
    for (let retryMs = 100; ; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
      try {
        const call = await changeLiveCall(deps, live, { status, ended: { cause, durationMs } });
        deps.liveCalls.forget(live.callSid);
        deps.log.info({ callSid: live.callSid, status, cause, durationMs }, "call ended");
        return call;
      } catch (error) {
        deps.log.error({ err: error, callSid: live.callSid }, "the end of a call could not be written; trying again");
        await wait(retryMs, undefined, { ref: false });
      }
    }
  });
}
