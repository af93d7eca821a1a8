import type { Tx } from "../../db/transaction.ts";
import { updateAvatar } from "./users.table.ts";

/** Sets the person's picture to the API's address of that file. Null removes it. */
export async function setAvatar(tx: Tx, userId: string, fileId: string | null): Promise<void> {
  await updateAvatar(tx, userId, fileId === null ? null : `/v1/files/${fileId}`);
}
