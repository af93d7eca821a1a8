import { liveStatuses } from "@leadline/contract/call-state";
import type { Tx } from "../../db/transaction.ts";

/** Whether the person is in a call. One that continues without them doesn't count. */
export async function isOnLine(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("calls")
    .select("call_sid")
    .where("user_id", "=", userId)
    .where("line", "is not", null)
    .where("status", "in", liveStatuses)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether any member of the organisation is on a call or has one ringing. */
export async function hasLiveCallOf(tx: Tx, organisationId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("calls")
    .select("call_sid")
    .where("organisation_id", "=", organisationId)
    .where("status", "in", liveStatuses)
    .executeTakeFirst();
  return row !== undefined;
}
