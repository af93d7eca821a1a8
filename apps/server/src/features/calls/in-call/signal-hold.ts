import type { CallDeps } from "../call-deps.ts";
import type { LiveCall } from "../live-calls.ts";

/** Tells a far end whether it waits, once the sound says so. Never rejects: one that was not told hears the tune all the same. */
export async function signalHold({ log }: Pick<CallDeps, "log">, live: LiveCall): Promise<void> {
  const held = live.hold !== "no";
  try {
    await live.leg?.setHold?.(held);
  } catch (error) {
    log.warn({ err: error, callSid: live.callSid, held }, "a far end was not told");
  }
}
