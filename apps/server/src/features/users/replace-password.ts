import type { Tx } from "../../db/transaction.ts";
import { updatePassword } from "./users.table.ts";

/** Also for whoever had none, because they signed in elsewhere. */
export async function replacePassword(tx: Tx, userId: string, hash: string): Promise<void> {
  await updatePassword(tx, userId, hash);
}
