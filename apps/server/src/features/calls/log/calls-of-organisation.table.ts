import { liveStatuses } from "@leadline/contract/call-state";
import type { Tx } from "../../../db/transaction.ts";

export async function hasLiveCallOf(tx: Tx, organisationId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("calls")
    .select("call_sid")
    .where("organisation_id", "=", organisationId)
    .where("status", "in", liveStatuses)
    .executeTakeFirst();
  return row !== undefined;
}

/** At most so many; answers how many. */
export async function deleteSomeCalls(tx: Tx, organisationId: string, limit: number): Promise<number> {
  const some = tx
    .selectFrom("calls")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .limit(limit)
    .forUpdate();
  const deleted = await tx.deleteFrom("calls").where("id", "in", some).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
