import type { Call } from "@leadline/contract/calls";
import { ProblemError } from "../../data/problem-error.ts";
import { retryPauseMs, waitForNetwork } from "../../data/wait-for-network.ts";
import * as requests from "./call-requests.ts";

interface Options {
  /** Says no once the call is over by any other way. */
  isWanted: () => boolean;
  /** The server could not be asked; it will be again. */
  onUnheard: () => void;
}

/** The server has read the request, and refuses it. */
export const isHeard = (error: unknown): boolean =>
  error instanceof ProblemError && error.status > 0 && error.status < 500;

/** Hangs up, again and again where the network or the server is gone. Throws what the server refused. */
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
