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
  "taken-back",
]);
export type TransferRefusal = z.infer<typeof TransferRefusal>;

export const CallTransfer = z.object({
  phoneNumber: z.string().describe("Where the other end is sent, E.164; empty where that is a teammate"),
  member: z
    .object({ userId: Id, name: z.string() })
    .nullable()
    .describe("The teammate to whom the other end is sent; null where that is a number"),
  leads: z
    .array(CallLead)
    .describe("The lead to whom the other end is sent; where none was named, those who have its number now"),
  attended: z.boolean().describe("Whether the person talked with that number first"),
  status: TransferStatus.describe("unknown: nobody has said how it ended"),
  refusal: TransferRefusal.nullable().describe(
    "Where refused. not-supported, transfer-refused, unanswered and taken-back are of the transfer itself, the others of the number",
  ),
  sip: z.int().nullable().describe("SIP response code that refused it, where there was one"),
});
export type CallTransfer = z.infer<typeof CallTransfer>;

export const isUnderWay = ({ status }: Pick<CallTransfer, "status">): boolean =>
  status === "asked" || status === "ringing";
