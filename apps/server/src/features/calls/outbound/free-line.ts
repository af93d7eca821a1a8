import type { Tx } from "../../../db/transaction.ts";
import { findCall, type StoredCall } from "../calls.table.ts";
import { moveToFirstLine } from "../../lines/people-on-line.ts";

/** In the transaction that ends a call: the one on its person's second line, if there is one, moves to the first. */
export async function freeLine(tx: Tx, { userId }: StoredCall): Promise<StoredCall[]> {
  const moved = userId === null ? null : await moveToFirstLine(tx, userId);
  const stored = moved === null ? null : await findCall(tx, moved);
  return stored ? [stored] : [];
}
