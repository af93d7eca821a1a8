import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import type { CallDeps } from "../call-deps.ts";
import { findRingingCall } from "./find-ringing-call.ts";
import { giveToVoicemail, stopRinging } from "./stop-ringing.ts";

/** Stops the ringing and sends the caller to voicemail. If voicemail doesn't answer, the call keeps ringing. */
export async function sendCallToVoicemail(deps: CallDeps, asked: { caller: Member; callSid: string }): Promise<void> {
  const ringing = await findRingingCall(deps, asked);
  if (ringing.memberId !== null)
    throw new Problem("voicemail-unavailable", "A teammate’s call can’t go to voicemail. Decline it instead.");
  const taken = await giveToVoicemail(deps, ringing);
  if (taken === "taken") return;
  // The caller gave up meanwhile, or the ring time is over.
  if (ringing.due) await stopRinging(deps, ringing, ringing.due);
  throw new Problem("voicemail-unavailable", whyNot[taken]);
}

const whyNot = {
  off: "Voicemail is off. An owner can turn it on under Settings, Voicemail.",
  full: "Voicemail is full. Listen to or delete some messages to make room.",
  busy: "Voicemail is busy with other calls. This call keeps ringing.",
  failed: "Voicemail couldn’t answer the call, so it keeps ringing. Tell the administrator of this server.",
} as const;
