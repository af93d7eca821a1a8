import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import type { CallDeps } from "../call-deps.ts";
import type { LiveCall } from "../live-calls.ts";
import { findOwnLiveCall } from "./find-own-live-call.ts";
import { reportUnchangedAudio } from "./report-unchanged-audio.ts";

async function sendInMedia({ mediaPlane }: CallDeps, live: LiveCall, digits: string): Promise<void> {
  const { leg, carrierLegId, farEndHolds } = live;
  const report = reportUnchangedAudio(live);
  const takesEvents = await mediaPlane.takesKeyEvents(carrierLegId).catch(report);
  const left = takesEvents ? digits : ((await leg?.offerDigits?.(digits)) ?? digits);
  if (left === "") return;
  // It accepts no media from us meanwhile (RFC 3264, section 8.4).
  if (farEndHolds) throw new Problem("not-supported", "The other side has put you on hold. Try again once it’s back.");
  await mediaPlane.sendDigits(carrierLegId, left).catch(report);
}

/** Sends DTMF in the media or through the carrier, as its settings say. */
export async function sendCallDigits(
  deps: CallDeps,
  { caller, callSid, digits }: { caller: Member; callSid: string; digits: string },
): Promise<void> {
  const live = await findOwnLiveCall(deps, { caller, callSid });
  if (deps.carriers.capabilities(live.carrierId).digits === null)
    throw new Problem("not-supported", "Your carrier doesn’t support keypad tones.");
  if (!live.hasFarEnd) throw new Problem("not-supported", "You can send keys once the call is answered.");
  // The trunk's settings chose SIP INFO for this leg.
  if (live.leg?.sendDigits) await live.leg.sendDigits(digits);
  else await sendInMedia(deps, live, digits);
}
