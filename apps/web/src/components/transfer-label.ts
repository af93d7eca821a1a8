import type { CallTransfer, TransferRefusal } from "@leadline/contract/call-transfer";
import { leadOfCall } from "./lead-names.ts";

/** Formats E.164. */
type Format = (phoneNumber: string) => string;

/** About the number that was dialled: a name wouldn't say which. */
const refusals: Record<TransferRefusal, (who: string, number: string) => string> = {
  busy: (who) => `${who} is busy.`,
  "no-answer": (who) => `No answer from ${who}.`,
  rejected: (who) => `${who} declined the call.`,
  "number-unknown": (_, number) => `${number} isn’t in service.`,
  "network-failure": (who) => `The phone network couldn’t reach ${who}.`,
  "carrier-refused": (_, number) => `The carrier refused to call ${number}.`,
  "not-supported": () => "Their phone system or your carrier can’t transfer this call.",
  "transfer-refused": (who) => `Their phone system or your carrier refused to transfer them to ${who}.`,
  "lines-in-use": (who) => `All lines at your carrier are in use, so ${who} wasn’t called. Try again in a moment.`,
  "taken-back": () => "You took the call back.",
  unanswered: (who) => `Your carrier didn’t respond to the transfer to ${who}.`,
};

/** The recipient: the teammate's or the lead's name if known, otherwise the number. */
const nameOf = ({ member, leads, phoneNumber }: CallTransfer, format: Format): string =>
  member?.name ?? leadOfCall(leads) ?? format(phoneNumber);

/** With the number behind a name. */
export function transferredTo(transfer: CallTransfer, format: Format): string {
  if (transfer.member) return transfer.member.name;
  const name = leadOfCall(transfer.leads);
  const number = format(transfer.phoneNumber);
  return name === null ? number : `${name} (${number})`;
}

/** The progress of a live call's transfer, and its result. */
export function transferSentence(transfer: CallTransfer, format: Format): string {
  const { status, refusal, phoneNumber } = transfer;
  const who = nameOf(transfer, format);
  if (status === "asked") return `Sending them to ${transferredTo(transfer, format)}…`;
  if (status === "ringing") return `Ringing ${transferredTo(transfer, format)}…`;
  if (status === "taken") return `Transferred to ${transferredTo(transfer, format)}.`;
  if (status === "unknown") return `It isn’t known whether ${who} answered. If they’re gone, hang up.`;
  return `${refusals[refusal ?? "transfer-refused"](who, format(phoneNumber))} They’re still on your call.`;
}

/** For rows, among other facts. */
export function transferLabel(transfer: CallTransfer, format: Format): string {
  const { status } = transfer;
  const who = nameOf(transfer, format);
  if (status === "taken") return `transferred to ${who}`;
  if (status === "unknown") return `perhaps transferred to ${who}`;
  return status === "refused" ? `not transferred to ${who}` : `being transferred to ${who}`;
}
