import type { HangUpCause } from "@leadline/contract/call-state";
import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";
import { findCall, type StoredCall } from "../calls.table.ts";

/** Of a call that has ended; null where there is none. Without a reason only its revision grows: what is told with it has changed. */
export async function changeReason(
  tx: Tx,
  callSid: string,
  reason: HangUpCause["reason"] | undefined,
): Promise<StoredCall | null> {
  const changed = await tx
    .updateTable("calls")
    .set({ revision: sql<number>`revision + 1`, ...(reason && { reason }) })
    .where("call_sid", "=", callSid)
    .where("ended_at", "is not", null)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n ? findCall(tx, callSid) : null;
}
