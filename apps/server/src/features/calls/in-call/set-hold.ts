import type { CallDeps } from "../call-deps.ts";
import type { LiveCall } from "../live-calls.ts";
import { changeSound } from "./arrange-sound.ts";

/** Holds or resumes a far end, the sound first. Who is slow to agree to it keeps nobody waiting. */
export async function setHold(deps: CallDeps, live: LiveCall, hold: LiveCall["hold"]): Promise<void> {
  await changeSound(deps, new Map([[live, { hold }]]));
  void tellHold(deps, live);
}

/** Never rejects: a far end that was not told hears the tune all the same. */
export async function tellHold({ log }: Pick<CallDeps, "log">, live: LiveCall): Promise<void> {
  const held = live.hold !== "no";
  try {
    await live.leg?.setHold?.(held);
  } catch (error) {
    log.warn({ err: error, callSid: live.callSid, held }, "a far end was not told");
  }
}
