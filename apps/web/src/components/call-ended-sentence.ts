import type { CallStatus, HangUpCause } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import type { CallTransfer } from "@leadline/contract/call-transfer";
import { otherEnd } from "./other-end.ts";
import { transferredTo } from "./transfer-label.ts";

type EndedStatus = Exclude<CallStatus, "queued" | "ringing" | "in-progress">;
type Reason = HangUpCause["reason"];

/** The sentence for a cause, whatever the status. If the status says more than the cause, it is in `byStatus`. */
const byReason: Record<Reason, string> = {
  "hung-up-here": "You hung up.",
  "hung-up-there": "They hung up.",
  transferred: "The call was transferred.",
  canceled: "You canceled the call before it was answered.",
  busy: "The line is busy.",
  "no-answer": "No answer.",
  rejected: "They declined the call.",
  "number-unknown": "This number isn’t in service. Check it and try again.",
  "network-failure": "The phone network couldn’t connect the call. Try again in a moment.",
  "carrier-refused":
    "Your carrier refused the call. Try again. If it happens again, tell your administrator which number you called.",
  "credentials-refused":
    "Your carrier rejected the user or password. An owner can correct them under Settings, Carriers.",
  "not-encrypted": "The other side doesn’t encrypt calls, which your organisation requires. An owner can change that.",
  redirected: "This number is forwarded, and your carrier doesn’t connect it. If you know the other number, call that.",
  "audio-address-refused": "Your carrier sent a private address for the call’s audio. Tell your administrator.",
  left: "The call ended because every Leadline tab was closed.",
  "signed-out": "The call ended because the person on it logged out everywhere or was removed from the organisation.",
  "server-restarted": "Leadline restarted, which ended the call. Call again.",
  "media-lost": "The media server for this call stopped. Call again.",
  "media-timeout": "The call ended because no more audio arrived from the other end. Call again.",
  "spending-limit": "Your organisation reached its daily spending limit. An admin can raise it under Settings, Limits.",
  "call-length-limit":
    "The call reached your organisation’s maximum length. An admin can raise it under Settings, Limits.",
  "member-spending-limit":
    "The member on the call reached their own daily spending limit. An admin can raise it under Settings, Limits.",
  "member-call-length-limit":
    "The call reached the maximum length for its member. An admin can raise it under Settings, Limits.",
  "balance-used-up": "Your organisation’s balance is used up. Top up under Settings, Billing.",
  "in-voicemail": "The caller is leaving a voicemail.",
  "hung-up-in-greeting": "They hung up during the voicemail greeting.",
  "left-no-message": "They left no voicemail message.",
  "left-message": "They left a voicemail message.",
  "voicemail-failed":
    "Voicemail couldn’t record this call. Tell your administrator that the server’s disk may be full.",
  error: "The call failed because of an error on our side. Call again. If it happens again, tell your administrator.",
};

const byStatus: Record<EndedStatus, string> = {
  completed: "Call ended.",
  busy: "The line is busy.",
  "no-answer": "No answer.",
  failed: "The call couldn’t be connected.",
  canceled: "You canceled the call before it was answered.",
};

/** Combinations of status and cause that mean something else than the cause alone. */
const together: Partial<Record<EndedStatus, Partial<Record<Reason, string>>>> = {
  completed: {
    "network-failure": "The phone network ended the call. Call again.",
    busy: byStatus.completed,
    "no-answer": byStatus.completed,
  },
  failed: {
    "network-failure": "The phone network couldn’t connect the call. Try again in a moment.",
    "hung-up-here": byStatus.failed,
  },
  busy: { rejected: "They declined the call.", "hung-up-there": byStatus.busy },
  "no-answer": {
    "hung-up-there": byStatus["no-answer"],
    "hung-up-here": "You hung up before the call was answered.",
    "media-lost":
      "The call couldn’t ring because no media server was available. If this continues, tell your administrator.",
  },
  canceled: {
    "hung-up-here": byStatus.canceled,
    left: "The call was canceled because every Leadline tab was closed.",
  },
};

const carrierUnanswered =
  "Your organisation’s carrier isn’t responding. Ask an owner to check it under Settings, Carriers.";

/** Out of order (ITU-T Q.850, 38) without a status: the carrier's server sent no response. */
const isUnanswered = ({ sip, q850 }: HangUpCause): boolean => sip === null && q850 === 38;

interface EndedCall {
  status: CallStatus;
  refusal?: string | null;
  cause: HangUpCause | null;
  transfer?: CallTransfer | null;
  joinedWith?: Call["joinedWith"];
}

/**
 * Why a call ended, in one sentence, with a second one if its transfer's result is unknown. Handles live statuses too,
 * as the type allows them. `format` formats E.164.
 */
export function callEndedSentence(call: EndedCall, format = (phoneNumber: string): string => phoneNumber): string {
  const { transfer } = call;
  // A teammate who took over a call ended it like any other.
  if (transfer?.member && !transfer.attended && call.cause?.reason !== "transferred") return whyEnded(call);
  if (transfer?.status === "taken") return `Transferred to ${transferredTo(transfer, format)}.`;
  if (call.cause?.reason === "transferred" && call.joinedWith)
    return `They were connected to ${otherEnd(call.joinedWith, format)}.`;
  if (!transfer || transfer.status === "refused") return whyEnded(call);
  // A transferred far end may have gone there.
  const why = call.cause?.reason === "hung-up-there" ? "They left the call." : whyEnded(call);
  return `${why} It isn’t known whether ${transferredTo(transfer, format)} answered.`;
}

function whyEnded(call: EndedCall): string {
  if (call.status === "queued" || call.status === "ringing" || call.status === "in-progress") return "In call.";
  if (call.refusal && call.status === "failed") return call.refusal;
  if (call.cause === null) return byStatus[call.status];
  if (call.status === "failed" && isUnanswered(call.cause)) return carrierUnanswered;
  return together[call.status]?.[call.cause.reason] ?? byReason[call.cause.reason];
}
