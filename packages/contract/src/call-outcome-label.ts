import type { HangUpCause } from "./call-state.ts";
import type { Call } from "./calls.ts";

/** The same words as callStageLabel and callEndedSentence, so that a call reads the same everywhere. */
const statusWords = {
  queued: "Calling",
  ringing: "Ringing",
  "in-progress": "In call",
  completed: "Answered",
  busy: "Busy",
  "no-answer": "No answer",
  canceled: "Canceled",
  failed: "Failed",
} as const satisfies Record<Call["status"], string>;

/** If the cause is more specific than the status. */
const causeWords: Partial<Record<HangUpCause["reason"], string>> = {
  rejected: "Declined",
  "number-unknown": "Not in service",
  "network-failure": "Network failure",
  "carrier-refused": "Refused by carrier",
  "credentials-refused": "Refused by carrier",
  "not-encrypted": "Not encrypted",
  "audio-address-refused": "Audio address refused",
  "server-restarted": "Ended by a restart",
  "media-lost": "Audio lost",
  "spending-limit": "Spending limit",
  "call-length-limit": "Length limit",
  "member-spending-limit": "Spending limit",
  "member-call-length-limit": "Length limit",
  "balance-used-up": "Balance used up",
};

/** For a missed call whose caller reached voicemail. */
const voicemailWords: Partial<Record<HangUpCause["reason"], string>> = {
  "in-voicemail": "In voicemail",
  "hung-up-in-greeting": "Hung up in greeting",
  "left-no-message": "Left no message",
  "left-message": "Left a message",
  "voicemail-failed": "Voicemail failed",
};

/** For an inbound call nobody answered, whatever the SIP status says. */
const missedStatuses: ReadonlySet<Call["status"]> = new Set(["no-answer", "busy", "canceled"]);

/** The outcome in a few words, for rows. */
export const callOutcomeLabel = (call: Pick<Call, "status" | "cause" | "direction">): string =>
  (call.cause ? voicemailWords[call.cause.reason] : undefined) ??
  (call.direction === "inbound" && missedStatuses.has(call.status) ? "Missed" : undefined) ??
  (call.cause?.reason === "transferred" ? "Transferred" : undefined) ??
  (call.cause && call.status !== "completed" ? causeWords[call.cause.reason] : undefined) ??
  statusWords[call.status];
