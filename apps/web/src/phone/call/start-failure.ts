import type { Call } from "@leadline/contract/calls";
import { ProblemError, problemDetail } from "../../data/problem-error.ts";
import { MicrophoneUnavailable } from "../microphone/open-microphone.ts";
import { isProblem, isUnanswered } from "../../data/call-requests.ts";
import type { PhoneState } from "./phone-state.ts";

export const messageFor = (error: unknown): string =>
  error instanceof MicrophoneUnavailable ? error.message : problemDetail(error);

/**
 * Shown immediately: without a network, a request may run into its full timeout, and succeed once the network is back.
 */
export const offlineSentence = "You’re offline, so nothing was dialled. Call again when you’re back online.";

const setByLimits: readonly string[] = ["country-not-allowed", "prefix-blocked", "rate-too-high", "limit-reached"];

type StartFailure = Pick<PhoneState, "startFailure" | "startUnanswered" | "startRefusedBy">;

/**
 * What to show about a call that could not be started: nothing if `seen` is that call, and only the response was lost.
 */
export function startFailureOf(error: unknown, seen: Call | null): StartFailure {
  const startUnanswered = isUnanswered(error);
  // Otherwise nothing would say what it was.
  if (!(error instanceof ProblemError || error instanceof MicrophoneUnavailable)) console.error(error);
  return {
    // Outside the opening hours, the rep is asked to confirm instead.
    startFailure:
      (seen && startUnanswered) || isProblem(error, "outside-hours", "outside-calling-hours")
        ? null
        : messageFor(error),
    startUnanswered,
    startRefusedBy: refusedBy(error),
  };
}

function refusedBy(error: unknown): PhoneState["startRefusedBy"] {
  if (isProblem(error, "balance-too-low")) return "balance";
  if (isProblem(error, "rate-unknown")) return "rates";
  return error instanceof ProblemError && setByLimits.includes(error.code) ? "limits" : null;
}
