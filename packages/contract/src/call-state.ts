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
      "transferred: the other end talks with whom it was sent to, or did for as long as Leadline carried that; left: every tab was closed; signed-out: whoever had it logged out everywhere, or was removed from the organisation; media-lost: the media server that carried the sound stopped, or none was there to carry a call that came in; media-timeout: the other end sent no audio for MEDIA_TIMEOUT_SECONDS; spending-limit and call-length-limit: the organisation's limit on a day's spending or on the length of a call ended it; member-spending-limit and member-call-length-limit: the member's own limit; carrier-refused: the carrier said no, not the callee; credentials-refused: the carrier does not accept the user or password of its settings; not-encrypted: the carrier’s settings want the sound encrypted, and the other side does not do that; audio-address-refused: the other side named an address for its audio that is in a private network, which the operator has not allowed; in-voicemail: nobody took the call, and its caller is with the voicemail at this moment; then one of the last four takes its place",
    ),
  sip: z.int().nullable().describe("SIP response code (RFC 3261, section 21), if there was one"),
  q850: z
    .int()
    .nullable()
    .describe("ITU-T Q.850 cause, if the carrier sent one or the SIP code implies one (RFC 3398)"),
});
export type HangUpCause = z.infer<typeof HangUpCause>;
