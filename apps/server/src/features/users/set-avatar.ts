import type { Tx } from "../../db/transaction.ts";
import { updateAvatar } from "./users.table.ts";

/** The person's picture is where the API serves that file; null takes it away. */
export async function setAvatar(tx: Tx, userId: string, fileId: string | null): Promise<void> {
  await updateAvatar(tx, userId, fileId === null ? null : `/v1/files/${fileId}`);
}
