import type { Tx } from "../../db/transaction.ts";
import { lockActiveOrganisation } from "./users.table.ts";

/** Whether the person acts in this organisation, which they then go on doing until the transaction ends. */
export function holdActiveOrganisation(tx: Tx, key: { userId: string; organisationId: string }): Promise<boolean> {
  return lockActiveOrganisation(tx, key);
}
