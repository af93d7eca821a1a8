import { z } from "zod";
import { CallLead } from "./call-lead.ts";
import { Id } from "./identifiers.ts";

export const TransferStatus = z.enum(["asked", "ringing", "taken", "refused", "unknown"]);
export type TransferStatus = z.infer<typeof TransferStatus>;

/**
 * asked → ringing (if the carrier reports it) → taken, which ends the call, or refused, which doesn't, or unknown. A
 * late report may still resolve unknown.
 */
const nextStatuses = {
  asked: ["ringing", "taken", "refused", "unknown"],
  ringing: ["taken", "refused", "unknown"],
  unknown: ["taken", "refused"],
  taken: [],
  refused: [],
} as const satisfies Record<TransferStatus, readonly TransferStatus[]>;

export const transferStatusesBefore = (next: TransferStatus): TransferStatus[] =>
  TransferStatus.options.filter((status) => (nextStatuses[status] as readonly TransferStatus[]).includes(next));

export const TransferRefusal = z.enum([
  "busy",
  "no-answer",
  "rejected",
  "number-unknown",
  "network-failure",
  "carrier-refused",
  "not-supported",
  "transfer-refused",
  "unanswered",
  "lines-in-use",
  "taken-back",
]);
export type TransferRefusal = z.infer<typeof TransferRefusal>;

export const CallTransfer = z.object({
  phoneNumber: z.string().describe("The target, E.164; empty if it is a teammate"),
  member: z
    .object({ userId: Id, name: z.string() })
    .nullable()
    .describe("The teammate it is transferred to; null if it is a number"),
  leads: z.array(CallLead).describe("The lead it is transferred to; if none was chosen, the leads with the number now"),
  attended: z.boolean().describe("Whether the person talked with the target first"),
  status: TransferStatus.describe("unknown: no result was reported"),
  refusal: TransferRefusal.nullable().describe(
    "If refused. not-supported, transfer-refused, unanswered and taken-back concern the transfer itself, the others the target",
  ),
  sip: z.int().nullable().describe("The SIP response code of the refusal, if there was one"),
});
export type CallTransfer = z.infer<typeof CallTransfer>;

export const isUnderWay = ({ status }: Pick<CallTransfer, "status">): boolean =>
  status === "asked" || status === "ringing";
