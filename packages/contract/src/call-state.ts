import { z } from "zod";

/** Twilio's terms (Call resource, "Call Status Values"). */
export const CallStatus = z.enum([
  "queued",
  "ringing",
  "in-progress",
  "completed",
  "busy",
  "no-answer",
  "failed",
  "canceled",
]);
export type CallStatus = z.infer<typeof CallStatus>;

/**
 * queued → ringing → in-progress → completed. An unanswered call ends as busy, no-answer, failed or canceled. An ended
 * call never changes state. A carrier that reports no ringing skips from queued to in-progress.
 */
export const nextStatuses = {
  queued: ["ringing", "in-progress", "busy", "no-answer", "failed", "canceled"],
  ringing: ["in-progress", "busy", "no-answer", "failed", "canceled"],
  "in-progress": ["completed"],
  completed: [],
  busy: [],
  "no-answer": [],
  failed: [],
  canceled: [],
} as const satisfies Record<CallStatus, readonly CallStatus[]>;

export const canMove = (from: CallStatus, to: CallStatus): boolean =>
  (nextStatuses[from] as readonly CallStatus[]).includes(to);
export const isLive = (status: CallStatus): boolean => nextStatuses[status].length > 0;
export const liveStatuses = CallStatus.options.filter(isLive);

/** Why a call ended, in addition to its status. */
export const HangUpCause = z.object({
  reason: z
    .enum([
      "hung-up-here",
      "hung-up-there",
      "transferred",
      "canceled",
      "busy",
      "no-answer",
      "rejected",
      "number-unknown",
      "network-failure",
      "carrier-refused",
      "credentials-refused",
      "not-encrypted",
      "redirected",
      "audio-address-refused",
      "left",
      "signed-out",
      "server-restarted",
      "media-lost",
      "media-timeout",
      "spending-limit",
      "call-length-limit",
      "member-spending-limit",
      "member-call-length-limit",
      "balance-used-up",
      "error",
      "in-voicemail",
      "hung-up-in-greeting",
      "left-no-message",
      "left-message",
      "voicemail-failed",
    ])
    .describe(
      "transferred: the far end talks with the target of the transfer; left: every tab was closed; signed-out: the person signed out everywhere or was removed from the organisation; media-lost: the media server that carried the audio stopped, or none was available for an inbound call; media-timeout: the far end sent no audio for MEDIA_TIMEOUT_SECONDS; spending-limit, call-length-limit: the organisation's daily spending limit or maximum call length ended it; member-spending-limit, member-call-length-limit: the member's own limit did; carrier-refused: the carrier refused, not the callee; credentials-refused: the carrier rejected the user or password in its settings; not-encrypted: the carrier’s settings require encrypted audio, which the far end doesn't support; audio-address-refused: the far end named an audio address in a private network that the operator doesn't allow; in-voicemail: nobody answered, and the caller is connected to voicemail now; one of the last four replaces it afterwards",
    ),
  sip: z.int().nullable().describe("SIP response code (RFC 3261, section 21), if there was one"),
  q850: z
    .int()
    .nullable()
    .describe("ITU-T Q.850 cause, if the carrier sent one or the SIP code implies one (RFC 3398)"),
});
export type HangUpCause = z.infer<typeof HangUpCause>;
