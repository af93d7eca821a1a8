import type { CallTransfer, TransferRefusal } from "@leadline/contract/call-transfer";

const refusals: Record<TransferRefusal, (number: string) => string> = {
  busy: (number) => `${number} is busy.`,
  "no-answer": (number) => `Nobody answered at ${number}.`,
  rejected: (number) => `${number} declined the call.`,
  "number-unknown": (number) => `${number} is not in service.`,
  "network-failure": (number) => `The phone network could not reach ${number}.`,
  "carrier-refused": (number) => `The carrier refused to call ${number}.`,
  "not-supported": () => "Their phone system, or your carrier, cannot transfer this call.",
  "transfer-refused": (number) => `Their phone system, or your carrier, refused to transfer them to ${number}.`,
  unanswered: (number) => `Your carrier did not answer when asked to transfer them to ${number}.`,
};

/** How the transfer of a live call goes, and what became of it. `number` as it is shown. */
export function transferSentence({ status, refusal }: CallTransfer, number: string): string {
  if (status === "asked") return `Sending them to ${number}…`;
  if (status === "ringing") return `It rings at ${number}…`;
  if (status === "taken") return `Transferred to ${number}.`;
  if (status === "unknown") return `Nobody has said whether ${number} took the call. If they are gone, hang up.`;
  return `${refusals[refusal ?? "transfer-refused"](number)} They are still with you.`;
}

/** For rows, among other facts. */
export function transferWords({ status }: CallTransfer, number: string): string {
  if (status === "taken") return `transferred to ${number}`;
  if (status === "unknown") return `perhaps transferred to ${number}`;
  return status === "refused" ? `not transferred to ${number}` : `being transferred to ${number}`;
}
