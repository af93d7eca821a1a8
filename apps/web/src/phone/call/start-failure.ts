import type { Call } from "@leadline/contract/calls";
import { ProblemError, problemDetail } from "../../data/problem-error.ts";
import { MicrophoneUnavailable } from "../microphone/open-microphone.ts";
import { isProblem, isUnanswered } from "./call-requests.ts";
import type { PhoneState } from "./phone-state.ts";

export const wordsFor = (error: unknown): string =>
  error instanceof MicrophoneUnavailable ? error.message : problemDetail(error);

/** Told at once: a request without a network may take its whole time to fail, and its answer come when one is back. */
export const offlineSentence = "You’re offline, so nothing was dialled. Call again when you’re back online.";

const setByLimits: readonly string[] = ["country-not-allowed", "limit-reached"];

type StartFailure = Pick<PhoneState, "startFailure" | "startUnanswered" | "startRefusedByLimits">;

/** What the person is told of a call that could not be started: nothing where `seen` is it, and only its answer was lost. */
export function startFailureOf(error: unknown, seen: Call | null): StartFailure {
  const startUnanswered = isUnanswered(error);
  // Nothing else would say what it was.
  if (!(error instanceof ProblemError || error instanceof MicrophoneUnavailable)) console.error(error);
  return {
    // Outside the opening hours it is asked instead whether to call all the same.
    startFailure: (seen && startUnanswered) || isProblem(error, "outside-hours") ? null : wordsFor(error),
    startUnanswered,
    startRefusedByLimits: error instanceof ProblemError && setByLimits.includes(error.code),
  };
}
