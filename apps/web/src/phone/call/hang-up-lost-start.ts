import type { Call } from "@leadline/contract/calls";
import { retryPauseMs, waitForNetwork } from "../../data/wait-for-network.ts";
import { hangUpUntilHeard, isHeard } from "./hang-up-until-confirmed.ts";
import * as requests from "../../data/call-requests.ts";

/** A request that was cut off may reach the server after our question, but not later than this. */
const lateMs = 2_000;

interface Options {
  /** The server can't be reached; it will be asked again. */
  onUnheard: () => void;
}

/**
 * Ends the call of a start whose response was lost and that is no longer wanted. Finds it by its idempotency key, since
 * sending the start again would dial. Null: the server has no such call of this user.
 */
export async function hangUpLostStart(idempotencyKey: string, { onUnheard }: Options): Promise<Call | null> {
  const ended = await hangUpStarted(idempotencyKey, onUnheard);
  if (ended === null) setTimeout(() => void hangUpStarted(idempotencyKey, () => {}), lateMs);
  return ended;
}

async function hangUpStarted(idempotencyKey: string, onUnheard: () => void): Promise<Call | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const started = await requests.findStartedCall(idempotencyKey);
      return started && (await hangUpUntilHeard(started.callSid, { isWanted: () => true, onUnheard }));
    } catch (error) {
      if (isHeard(error)) return null;
      onUnheard();
    }
    await waitForNetwork(retryPauseMs(attempt));
  }
}
