import type { CallStatus, HangUpCause } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import type { CallTransfer } from "@leadline/contract/call-transfer";
import { otherEnd } from "./other-end.ts";
import { transferredTo } from "./transfer-words.ts";

type EndedStatus = Exclude<CallStatus, "queued" | "ringing" | "in-progress">;
type Reason = HangUpCause["reason"];

/** What the cause says, whatever the status. A status whose cause says less than the status itself is in `byStatus`. */
const byReason: Record<Reason, string> = {
  "hung-up-here": "You hung up.",
  "hung-up-there": "They hung up.",
  transferred: "The call was transferred.",
  canceled: "You canceled the call before it was answered.",
  busy: "The line is busy.",
  "no-answer": "Nobody answered.",
  rejected: "They declined the call.",
  "number-unknown": "This number is not in service. Check it and try again.",
  "network-failure": "The phone network could not put the call through. Try again in a moment.",
  "carrier-refused":
    "Your carrier refused the call. Try again; if it happens twice, tell your administrator what number you called.",
  "credentials-refused":
    "Your carrier does not accept its user or password. An owner can correct them in Settings, Carriers.",
  "not-encrypted": "The other side does not encrypt calls, which your organisation requires. An owner can change that.",
  redirected: "This number is forwarded to somewhere your carrier won’t connect. Call the other number instead.",
  "audio-address-refused": "Your carrier named a private address for the call’s sound. Tell your administrator.",
  left: "The call ended because every Leadline tab was closed.",
  "signed-out": "The call ended because whoever had it logged out everywhere or was removed from the organisation.",
  "server-restarted": "Leadline restarted and the call was cut off. Call again.",
  "media-lost": "The server that carried the call’s sound stopped. Call again.",
  "media-timeout": "No sound came from the other end any more, so the call was ended. Call again.",
  "spending-limit": "Your organisation reached its daily spending limit. An admin can raise it under Settings, Limits.",
  "call-length-limit":
    "The call reached your organisation’s maximum length. An admin can raise it under Settings, Limits.",
  "in-voicemail": "The caller is with your voicemail at this moment.",
  "hung-up-in-greeting": "They reached your voicemail and hung up during its greeting.",
  "left-no-message": "They reached your voicemail and left no message.",
  "left-message": "They left a message in your voicemail.",
  "voicemail-failed":
    "Your voicemail could not record this call. Tell your administrator: the server’s disk may be full.",
  error: "Leadline could not carry the call. Call again; if it happens twice, tell your administrator.",
};

const byStatus: Record<EndedStatus, string> = {
  completed: "The call is over.",
  busy: "The line is busy.",
  "no-answer": "Nobody answered.",
  failed: "The call could not be put through.",
  canceled: "You canceled the call before it was answered.",
};

/** Where status and cause together mean something else than the cause alone. */
const together: Partial<Record<EndedStatus, Partial<Record<Reason, string>>>> = {
  completed: {
    "network-failure": "The phone network cut the call off. Call again.",
    busy: byStatus.completed,
    "no-answer": byStatus.completed,
  },
  failed: {
    "network-failure": "The phone network could not put the call through. Try again in a moment.",
    "hung-up-here": byStatus.failed,
  },
  busy: { rejected: "They declined the call.", "hung-up-there": byStatus.busy },
  "no-answer": {
    "hung-up-there": byStatus["no-answer"],
    "hung-up-here": "You hung up before anybody answered.",
    "media-lost": "It rang nowhere: no server was there to carry its sound. Tell your administrator if it lasts.",
  },
  canceled: {
    "hung-up-here": byStatus.canceled,
    left: "The call was canceled because every Leadline tab was closed.",
  },
};

const carrierUnanswered =
  "Your organisation’s carrier did not answer. Ask an owner to look at it in Settings, Carriers.";

/** Out of order (ITU-T Q.850, 38) without a status: nothing came back from the carrier's server. */
const isUnanswered = ({ sip, q850 }: HangUpCause): boolean => sip === null && q850 === 38;

interface EndedCall {
  status: CallStatus;
  cause: HangUpCause | null;
  transfer?: CallTransfer | null;
  joinedWith?: Call["joinedWith"];
}

/**
 * Why a call ended, in one sentence, and in a second what is not known of its transfer. Answers for a live status too, since
 * the wire's types allow it. `format` writes E.164 as it is shown.
 */
export function callEndedSentence(call: EndedCall, format = (phoneNumber: string): string => phoneNumber): string {
  const { transfer } = call;
  // A teammate who took a call over ended it as they would any other.
  if (transfer?.member && !transfer.attended && call.cause?.reason !== "transferred") return whyEnded(call);
  if (transfer?.status === "taken") return `Transferred to ${transferredTo(transfer, format)}.`;
  if (call.cause?.reason === "transferred" && call.joinedWith)
    return `They were put through to ${otherEnd(call.joinedWith, format)}.`;
  if (!transfer || transfer.status === "refused") return whyEnded(call);
  // Sent elsewhere, they may have gone there.
  const why = call.cause?.reason === "hung-up-there" ? "They left the call." : whyEnded(call);
  return `${why} Whether ${transferredTo(transfer, format)} took it is not known.`;
}

function whyEnded(call: EndedCall): string {
  if (call.status === "queued" || call.status === "ringing" || call.status === "in-progress") return "The call is on.";
  if (call.cause === null) return byStatus[call.status];
  if (call.status === "failed" && isUnanswered(call.cause)) return carrierUnanswered;
  return together[call.status]?.[call.cause.reason] ?? byReason[call.cause.reason];
}
