import { CallStatus, HangUpCause, isLive } from "@leadline/contract/call-state";
import { describe, expect, test } from "vitest";
import { callEndedSentence } from "./call-ended-sentence.ts";

const ended = CallStatus.options.filter((status) => !isLive(status));
const reasons = HangUpCause.shape.reason.options;
const cause = (reason: (typeof reasons)[number]): HangUpCause => ({ reason, sip: null, q850: null });

describe("why a call ended", () => {
  test("every status with every reason has a sentence", () => {
    for (const status of ended) {
      for (const reason of [null, ...reasons]) {
        const sentence = callEndedSentence({ status, cause: reason && cause(reason) });
        expect(sentence, `${status} ${reason}`).toMatch(/^[A-Z].{8,110}\.$/);
        expect(sentence).not.toMatch(/undefined|wrong/);
      }
    }
  });
  test.each([
    ["busy", "busy", "The line is busy."],
    ["no-answer", "no-answer", "No answer."],
    ["busy", "rejected", "They declined the call."],
    ["failed", "rejected", "They declined the call."],
    ["completed", "hung-up-here", "You hung up."],
    ["completed", "hung-up-there", "They hung up."],
    ["canceled", "canceled", "You canceled the call before it was answered."],
    ["canceled", "hung-up-here", "You canceled the call before it was answered."],
    ["completed", "left", "The call ended because every Leadline tab was closed."],
    [
      "completed",
      "signed-out",
      "The call ended because the person on it logged out everywhere or was removed from the organisation.",
    ],
    [
      "no-answer",
      "media-lost",
      "The call couldn’t ring because no media server was available. If this continues, tell your administrator.",
    ],
    [
      "failed",
      "credentials-refused",
      "Your carrier rejected the user or password. An owner can correct them under Settings, Carriers.",
    ],
    ["completed", "media-timeout", "The call ended because no more audio arrived from the other end. Call again."],
    ["failed", "server-restarted", "Leadline restarted, which ended the call. Call again."],
  ] as const)("%s with %s says so", (status, reason, sentence) => {
    expect(callEndedSentence({ status, cause: cause(reason) })).toBe(sentence);
  });
  test("a carrier that didn't respond at all is distinguished from a failed network, and the text says whom to ask", () => {
    const failure = { reason: "network-failure", q850: 38 } as const;
    expect(callEndedSentence({ status: "failed", cause: { ...failure, sip: null } })).toBe(
      "Your organisation’s carrier isn’t responding. Ask an owner to check it under Settings, Carriers.",
    );
    expect(callEndedSentence({ status: "failed", cause: { ...failure, sip: 503 } })).toBe(
      "The phone network couldn’t connect the call. Try again in a moment.",
    );
  });
  test("a transferred call says to whom, by number or by the PBX's name for it", () => {
    const putThrough = (phoneNumber: string, callerId: string | null) =>
      callEndedSentence({
        status: "completed",
        cause: cause("transferred"),
        joinedWith: { callSid: `CA${"2".repeat(32)}`, phoneNumber, callerId },
      });
    expect(putThrough("+12025550101", null)).toBe("They were connected to +12025550101.");
    expect(putThrough("", "Ada Byron (301)")).toBe("They were connected to Ada Byron (301).");
  });
  test("a call cut off by the network is distinguished from one that never connected", () => {
    const cut = callEndedSentence({ status: "completed", cause: cause("network-failure") });
    expect(cut).not.toBe(callEndedSentence({ status: "failed", cause: cause("network-failure") }));
  });
});

test("a call that a teammate took over tells its former rep where it went, and the teammate how it ended", () => {
  const member = { userId: "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0003", name: "Ada Byron" };
  const to = { phoneNumber: "", leads: [], attended: false, refusal: null, sip: null };
  const transfer = { ...to, member, status: "taken" as const };
  const sentence = (reason: "transferred" | "hung-up-there") =>
    callEndedSentence({ status: "completed", cause: { reason, sip: null, q850: 16 }, transfer });
  expect(sentence("transferred")).toBe("Transferred to Ada Byron.");
  expect(sentence("hung-up-there")).toBe("They hung up.");
});

test("a call that the carrier refused says why in the carrier's words", () => {
  const refusal = "All lines at Sales are in use. Try again in a moment.";
  const failed = { status: "failed", cause: cause("carrier-refused") } as const;
  expect(callEndedSentence({ ...failed, refusal })).toBe(refusal);
  expect(callEndedSentence({ ...failed, refusal: null })).toMatch(/^Your carrier refused the call/);
});
