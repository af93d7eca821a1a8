import type { Tx } from "../../../db/transaction.ts";
import { findCall, type StoredCall } from "../calls.table.ts";
import { moveToFirstLine } from "../running-calls.table.ts";

/** Called in the transaction that ends a call. Moves the person's second-line call, if any, to the first line. */
export async function promoteSecondLine(tx: Tx, { userId }: StoredCall): Promise<StoredCall[]> {
  const moved = userId === null ? null : await moveToFirstLine(tx, userId);
  const stored = moved === null ? null : await findCall(tx, moved);
  return stored ? [stored] : [];
}
