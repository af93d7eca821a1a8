import type { Tx } from "../../db/transaction.ts";
import { refuseInsertedOverRowQuota } from "../organisations/refuse-over-row-quota.ts";
import { putManyDoNotCall } from "./do-not-call.table.ts";

/**
 * Adds numbers by hand. Listed numbers stay, but no longer depend on a call. Returns how many are new.
 * @throws quota-reached: the transaction must be rolled back
 */
export async function addManyToDoNotCall(
  tx: Tx,
  numbers: { organisationId: string; userId: string; phoneNumbers: readonly string[] },
): Promise<number> {
  const inserted = await putManyDoNotCall(tx, numbers);
  await refuseInsertedOverRowQuota(tx, { organisationId: numbers.organisationId, table: "do_not_call", inserted });
  return inserted;
}
