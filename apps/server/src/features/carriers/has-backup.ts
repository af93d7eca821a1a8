import type { Tx } from "../../db/transaction.ts";
import { selectCarriers } from "./carriers.table.ts";

/** Whether a call that this carrier can't place goes to another one. */
export async function hasBackup(
  tx: Tx,
  { organisationId, carrierId }: { organisationId: string; carrierId: string },
): Promise<boolean> {
  return (await selectCarriers(tx, { organisationId, inUse: true })).some(({ id }) => id !== carrierId);
}
