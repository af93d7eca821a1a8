import type { CallDeps } from "../call-deps.ts";
import type { LiveCall } from "../live-calls.ts";

/**
 * Tells the far end that it is on or off hold, once the audio has changed. Never rejects: without the signal it still
 * hears the hold music.
 */
export async function signalHold({ log }: Pick<CallDeps, "log">, live: LiveCall): Promise<void> {
  const held = live.hold !== "off";
  try {
    await live.leg?.setHold?.(held);
  } catch (error) {
    log.warn({ err: error, callSid: live.callSid, held }, "a far end could not be notified");
  }
}
