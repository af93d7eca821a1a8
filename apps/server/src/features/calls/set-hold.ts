import type { CallDeps } from "./call-deps.ts";
import type { LiveCall } from "./live-calls.ts";

/** Holds or resumes a far end, the sound first. Who is slow to agree to it keeps nobody waiting. */
export async function setHold(deps: CallDeps, live: LiveCall, hold: LiveCall["hold"]): Promise<void> {
  const held = hold !== "no";
  live.hold = hold;
  await deps.mediaPlane.setHeld(live.carrierLegId, held);
  live.leg
    ?.setHold?.(held)
    .catch((error: unknown) => deps.log.warn({ err: error, callSid: live.callSid, held }, "a far end was not told"));
}
