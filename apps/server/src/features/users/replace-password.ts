import type { Tx } from "../../db/transaction.ts";
import { deletePassword, updatePassword } from "./users.table.ts";

/** Also for people without one, who signed in elsewhere. */
export async function replacePassword(tx: Tx, userId: string, hash: string): Promise<void> {
  await updatePassword(tx, userId, hash);
}

/** They then sign in elsewhere, or set a new one with a mailed link. */
export async function removePassword(tx: Tx, userId: string): Promise<void> {
  await deletePassword(tx, userId);
}
