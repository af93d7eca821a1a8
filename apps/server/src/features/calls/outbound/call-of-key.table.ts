import type { Tx } from "../../../db/transaction.ts";
import { selectCalls, type StoredCall, toStoredCall } from "../calls.table.ts";

export async function findCallByIdempotencyKey(
  tx: Tx,
  userId: string,
  idempotencyKey: string,
): Promise<{ call: StoredCall; requestHash: string | null } | null> {
  const row = await selectCalls(tx)
    .select("calls.request_hash")
    .where("calls.user_id", "=", userId)
    .where("calls.idempotency_key", "=", idempotencyKey)
    .executeTakeFirst();
  return row ? { call: toStoredCall(row), requestHash: row.request_hash } : null;
}
