import type { HangUpNotice } from "@leadline/adapter-kit/carrier";
import { type CallStatus, type HangUpCause, isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import type { CallDeps } from "../call-deps.ts";
import { neverAsked } from "../call-transfers.table.ts";
import { changeLiveCall } from "./change-live-call.ts";
import { endStrandedCall } from "./end-stranded-call.ts";
import { continueOtherCall } from "./continue-other-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { retryWrite } from "../retry-write.ts";

const unansweredStatus = {
  "hung-up-here": "canceled",
  "hung-up-there": "no-answer",
  transferred: "canceled",
  canceled: "canceled",
  busy: "busy",
  "no-answer": "no-answer",
  rejected: "busy",
  "number-unknown": "failed",
  "network-failure": "failed",
  "carrier-refused": "failed",
  "credentials-refused": "failed",
  "not-encrypted": "failed",
  redirected: "failed",
  "audio-address-refused": "failed",
  left: "canceled",
  "signed-out": "canceled",
  "server-restarted": "failed",
  "media-lost": "failed",
  "media-timeout": "failed",
  "spending-limit": "canceled",
  "call-length-limit": "canceled",
  "member-spending-limit": "canceled",
  "member-call-length-limit": "canceled",
  "balance-used-up": "canceled",
  error: "failed",
  "in-voicemail": "no-answer",
  "hung-up-in-greeting": "no-answer",
  "left-no-message": "no-answer",
  "left-message": "no-answer",
  "voicemail-failed": "no-answer",
} as const satisfies Record<HangUpCause["reason"], CallStatus>;

/** The Reason header (RFC 3326) sent to the far end's network, unless somebody simply hung up. */
const noticeOf: Partial<Record<HangUpCause["reason"], HangUpNotice>> = {
  "media-lost": { q850: 41, text: "Media server lost" },
  "media-timeout": { q850: 102, text: "No RTP received" },
  "server-restarted": { q850: 41, text: "Server restarted" },
  error: { q850: 41, text: "Internal error" },
  "spending-limit": { q850: 31, text: "Spending limit reached" },
  "call-length-limit": { q850: 31, text: "Maximum call length reached" },
  "member-spending-limit": { q850: 31, text: "Spending limit reached" },
  "member-call-length-limit": { q850: 31, text: "Maximum call length reached" },
  "balance-used-up": { q850: 31, text: "Balance used up" },
};

/**
 * Ends the call: closes the audio at once, notifies both sides and stores the end, retrying for as long as that takes.
 * Never rejects. The first cause wins; later callers await the same end.
 */
export function endCall(deps: CallDeps, live: LiveCall, cause: HangUpCause): Promise<Call | null> {
  live.ending ??= end(deps, live, cause);
  return live.ending;
}

/** The cause of a call that its own person, or Leadline on their behalf, hangs up. */
export const hungUpHere = ({ answeredAtMs }: Pick<LiveCall, "answeredAtMs">): HangUpCause =>
  answeredAtMs === null
    ? { reason: "canceled", sip: 487, q850: null }
    : { reason: "hung-up-here", sip: null, q850: 16 };

/** After a transfer either far end may hang up. That ends both calls, as transferred. */
const causeOnceLeft = (cause: HangUpCause): HangUpCause =>
  cause.reason === "hung-up-there" ? { ...cause, reason: "transferred" } : cause;

async function end(deps: CallDeps, live: LiveCall, reported: HangUpCause): Promise<Call | null> {
  const { callSid } = live;
  clearTimeout(live.cutOffTimer);
  const cause = live.line === null ? causeOnceLeft(reported) : reported;
  // A call that turns out to be gone after a restart ended when it was last seen: nobody pays for the time between.
  const endedAtMs = live.seenBeforeAtMs ?? performance.now();
  const durationMs = live.answeredAtMs === null ? 0 : Math.max(0, Math.round(endedAtMs - live.answeredAtMs));
  const status = live.answeredAtMs === null ? unansweredStatus[cause.reason] : "completed";
  live.status = status;
  // At once, or work still waiting for the other call's audio would end it for another reason.
  if (live.line === null && live.joinedWith && isLive(live.joinedWith.status))
    void endCall(deps, live.joinedWith, cause);
  const second = live.transfer?.underWay ? live.transfer.secondCall : undefined;
  // No one is left to be transferred.
  if (second && isLive(second.status)) void endCall(deps, second, hungUpHere(second));
  live.follower?.ended(cause);
  const note = (error: unknown) => deps.log.warn({ err: error, callSid }, "one side of a call could not be notified");
  const [writeOther] = await Promise.all([
    continueOtherCall(deps, live).catch(note),
    live.leg?.hangUp(noticeOf[cause.reason]).catch(note),
    deps.mediaPlane.close(live.carrierLegId).catch(note),
  ]);
  const call = await live.inOrder(() =>
    retryWrite(deps.log, callSid, async () => {
      const { refusal } = live;
      const seen = live.seenBeforeAtMs === null;
      const ended = { cause, durationMs, agoMs: performance.now() - endedAtMs, refusal, seen };
      const transfer = live.transfer?.underWay && !live.transfer.sentToCarrier ? { transfer: neverAsked } : {};
      return (
        (await changeLiveCall(deps, live, { status, ended, ...transfer })) ??
        endStrandedCall(deps, callSid, { reason: cause.reason })
      );
    }),
  );
  writeOther?.();
  deps.liveCalls.forget(callSid);
  deps.log.info({ callSid, status: call?.status ?? null, cause, durationMs }, "call ended");
  return call;
}
