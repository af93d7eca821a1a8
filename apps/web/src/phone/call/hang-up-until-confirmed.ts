import type { Call } from "@leadline/contract/calls";
import { ProblemError } from "../../data/problem-error.ts";
import { retryPauseMs, waitForNetwork } from "../../data/wait-for-network.ts";
import * as requests from "../../data/call-requests.ts";

interface Options {
  /** Returns false once the call has ended otherwise. */
  isWanted: () => boolean;
  /** The server can't be reached; it will be asked again. */
  onUnheard: () => void;
}

/** The server has processed the request and refuses it. */
export const isHeard = (error: unknown): boolean =>
  error instanceof ProblemError && error.status > 0 && error.status < 500;

/** Hangs up, retrying while the network or the server is down. Throws if the server refuses. */
export async function hangUpUntilHeard(callSid: string, { isWanted, onUnheard }: Options): Promise<Call | null> {
  for (let attempt = 1; isWanted(); attempt += 1) {
    try {
      return await requests.hangUpCall(callSid);
    } catch (error) {
      if (isHeard(error)) throw error;
      onUnheard();
    }
    await waitForNetwork(retryPauseMs(attempt));
  }
  return null;
}
