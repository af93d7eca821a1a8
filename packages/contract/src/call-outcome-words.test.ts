import { CallStatus, HangUpCause } from "./call-state.ts";
import { describe, expect, test } from "vitest";
import { callOutcomeLabel } from "./call-outcome-label.ts";

const cause = (reason: HangUpCause["reason"]): HangUpCause => ({ reason, sip: null, q850: null });

describe("the short outcome of a call", () => {
  test("has one to four words for every status and reason", () => {
    for (const status of CallStatus.options)
      for (const reason of [null, ...HangUpCause.shape.reason.options])
        for (const direction of ["outbound", "inbound"] as const)
          expect(callOutcomeLabel({ direction, status, cause: reason && cause(reason) })).toMatch(
            /^[A-Z][a-z]+( [a-z]+){0,3}$/,
          );
  });
  test.each([
    ["busy", "busy", "Busy"],
    ["busy", "rejected", "Declined"],
    ["failed", "rejected", "Declined"],
    ["failed", "number-unknown", "Not in service"],
    ["failed", "network-failure", "Network failure"],
    ["completed", "network-failure", "Answered"],
    ["completed", "hung-up-here", "Answered"],
    ["completed", "transferred", "Transferred"],
    ["no-answer", "left-message", "Left a message"],
    ["no-answer", "hung-up-in-greeting", "Hung up in greeting"],
  ] as const)("%s with %s is %s", (status, reason, words) => {
    expect(callOutcomeLabel({ direction: "outbound", status, cause: cause(reason) })).toBe(words);
  });
  test("an inbound call that nobody answered is missed", () => {
    const words = (status: CallStatus) => callOutcomeLabel({ direction: "inbound", status, cause: null });
    expect(["no-answer", "busy", "canceled", "completed"].map((status) => words(CallStatus.parse(status)))).toEqual([
      "Missed",
      "Missed",
      "Missed",
      "Answered",
    ]);
  });
});
