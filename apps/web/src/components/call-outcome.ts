import type { HangUpCause } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";

/** How the log's figures group calls. */
export type CallOutcome = "live" | "answered" | "not-answered" | "failed";

const outcomes = {
  queued: "live",
  ringing: "live",
  "in-progress": "live",
  completed: "answered",
  busy: "not-answered",
  "no-answer": "not-answered",
  canceled: "not-answered",
  failed: "failed",
} as const satisfies Record<Call["status"], CallOutcome>;

export const callOutcome = (call: Pick<Call, "status">): CallOutcome => outcomes[call.status];

const statusWords = {
  queued: "Starting",
  ringing: "Ringing",
  "in-progress": "In a call",
  completed: "Answered",
  busy: "Busy",
  "no-answer": "No answer",
  canceled: "Canceled",
  failed: "Failed",
} as const satisfies Record<Call["status"], string>;

/** Where the cause says more than the status does. */
const causeWords: Partial<Record<HangUpCause["reason"], string>> = {
  rejected: "Rejected",
  "number-unknown": "No such number",
  "network-failure": "Network failure",
  "server-restarted": "Cut by a restart",
};

export const callOutcomeWords = (call: Pick<Call, "status" | "cause">): string =>
  (call.cause && call.status !== "completed" ? causeWords[call.cause.reason] : undefined) ?? statusWords[call.status];
