import type { Tx } from "../../db/transaction.ts";
import { lockActiveOrganisation } from "./users.table.ts";

/** Whether this is the person's active organisation. Locks it until the transaction ends. */
export function holdActiveOrganisation(tx: Tx, key: { userId: string; organisationId: string }): Promise<boolean> {
  return lockActiveOrganisation(tx, key);
}
