import type { CallStatus, HangUpCause } from "@leadline/contract/call-state";
import type { InboundCall } from "@leadline/adapter-kit/carrier";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "../in-call/change-live-call.ts";
import type { RingingCall, WhyUnanswered } from "./ringing-calls.ts";
import { retryWrite } from "../retry-write.ts";

export interface Unanswered {
  status: CallStatus;
  cause: HangUpCause;
  /** The response to the caller. Null if the caller has gone. */
  refuseAs: Parameters<InboundCall["refuse"]>[0] | null;
}

export const endsUnanswered = {
  "given-up": { status: "no-answer", cause: { reason: "hung-up-there", sip: 487, q850: 16 }, refuseAs: null },
  "rung-out": { status: "no-answer", cause: { reason: "no-answer", sip: 480, q850: 19 }, refuseAs: "nobody-there" },
  declined: { status: "busy", cause: { reason: "rejected", sip: 486, q850: 17 }, refuseAs: "busy" },
  "nobody-there": { status: "no-answer", cause: { reason: "no-answer", sip: 480, q850: 19 }, refuseAs: "nobody-there" },
  "nobody-free": { status: "no-answer", cause: { reason: "no-answer", sip: 486, q850: 17 }, refuseAs: "busy" },
  closed: { status: "no-answer", cause: { reason: "no-answer", sip: 480, q850: 19 }, refuseAs: "nobody-there" },
  "too-many-calls": { status: "no-answer", cause: { reason: "no-answer", sip: 503, q850: 42 }, refuseAs: "overloaded" },
  "voicemail-busy": { status: "no-answer", cause: { reason: "no-answer", sip: 503, q850: 42 }, refuseAs: "overloaded" },
  "no-media-server": {
    status: "no-answer",
    cause: { reason: "media-lost", sip: 480, q850: 41 },
    refuseAs: "nobody-there",
  },
  "voicemail-failed": {
    status: "no-answer",
    cause: { reason: "voicemail-failed", sip: 480, q850: 41 },
    refuseAs: "nobody-there",
  },
  closing: { status: "no-answer", cause: { reason: "server-restarted", sip: 480, q850: 41 }, refuseAs: "nobody-there" },
} as const satisfies Record<WhyUnanswered, Unanswered>;

const whyNotTaken: Partial<Record<string, WhyUnanswered>> = { failed: "voicemail-failed", busy: "voicemail-busy" };

/** Reasons for which voicemail answers, if it is on. */
const forVoicemail: ReadonlySet<WhyUnanswered> = new Set([
  "rung-out",
  "declined",
  "nobody-free",
  "nobody-there",
  "no-media-server",
  "closed",
]);

/**
 * Ends a call that nobody answered: voicemail takes it, or the caller is refused and the tabs are notified. While
 * somebody is answering, only notes the reason.
 */
export async function stopRinging(deps: CallDeps, ringing: RingingCall, why: WhyUnanswered): Promise<void> {
  if (ringing.state === "taken") ringing.due ??= why;
  if (ringing.state !== "ringing") return;
  const taken = forVoicemail.has(why) && ringing.memberId === null ? await giveToVoicemail(deps, ringing) : "off";
  if (taken === "taken") return;
  await endUnanswered(deps, ringing, ringing.due ?? whyNotTaken[taken] ?? why);
}

/** Marks the call as taken while voicemail tries to answer. If voicemail doesn't, it rings as before. */
export async function giveToVoicemail(
  deps: CallDeps,
  ringing: RingingCall,
): Promise<Awaited<ReturnType<CallDeps["voicemail"]["take"]>>> {
  ringing.state = "taken";
  const written = await ringing.written.then(
    () => true,
    () => false,
  );
  const taken = written ? await deps.voicemail.take(ringing) : "failed";
  if (taken === "taken") deps.ringingCalls.forget(ringing.callSid);
  else ringing.state = "ringing";
  return taken;
}

async function endUnanswered(deps: CallDeps, ringing: RingingCall, why: WhyUnanswered): Promise<void> {
  ringing.state = "over";
  clearTimeout(ringing.ringTimer);
  const { callSid, organisationId } = ringing;
  const endedAtMs = performance.now();
  const { status, cause, refuseAs } = endsUnanswered[why];
  if (refuseAs) ringing.call.refuse(why === "declined" && ringing.memberId !== null ? "declined" : refuseAs);
  await ringing.written.catch(() => undefined);
  await retryWrite(deps.log, callSid, () => {
    const ended = { cause, durationMs: 0, agoMs: performance.now() - endedAtMs };
    return changeLiveCall(deps, { callSid, organisationId, userId: null }, { status, ended });
  });
  deps.ringingCalls.forget(callSid);
  deps.log.info({ callSid, why }, "a ringing call was not answered");
}
