import { liveStatuses } from "@leadline/contract/call-state";
import type { Tx } from "../../db/transaction.ts";

export async function hasLiveCall(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("calls")
    .select("call_sid")
    .where("user_id", "=", userId)
    .where("status", "in", liveStatuses)
    .executeTakeFirst();
  return row !== undefined;
}
