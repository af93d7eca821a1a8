import type { HangUpCause } from "@leadline/contract/call-state";
import type { LimitName } from "@leadline/contract/limits";
import type { Tx } from "../../../db/transaction.ts";
import { countBreach } from "./breaches.table.ts";

interface EndedCall {
  organisationId: string;
  userId: string | null;
  /** E.164; empty if it isn't known. */
  phoneNumber: string;
  cause: HangUpCause | null;
}

const raise = "An admin can raise it under Settings, Limits.";
const limits: Partial<Record<HangUpCause["reason"], { limit: LimitName; isMembers: boolean; detail: string }>> = {
  "spending-limit": {
    limit: "daily-spend",
    isMembers: false,
    detail: `The call ended because your organisation reached its daily spending limit. ${raise}`,
  },
  "member-spending-limit": {
    limit: "daily-spend",
    isMembers: true,
    detail: `The call ended because the member on it reached their own daily spending limit. ${raise}`,
  },
  "call-length-limit": {
    limit: "call-length",
    isMembers: false,
    detail: `The call ended because it reached your organisation’s maximum length. ${raise}`,
  },
  "member-call-length-limit": {
    limit: "call-length",
    isMembers: true,
    detail: `The call ended because it reached the maximum length for its member. ${raise}`,
  },
};

/** Records the breach if a limit has ended the call, in the transaction that stores its end. A job emails the owners. */
export async function noteEndedByLimit(
  tx: Tx,
  { organisationId, userId, phoneNumber, cause }: EndedCall,
): Promise<void> {
  const breach = cause && limits[cause.reason];
  if (!breach || userId === null) return;
  await countBreach(tx, { organisationId, userId }, { ...breach, phoneNumber, ended: true });
}
