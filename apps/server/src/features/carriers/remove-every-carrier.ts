import type { Tx } from "../../db/transaction.ts";
import { deleteCarriers, lockCarriers } from "./carriers.table.ts";

/** For deleting an organisation. Returns the carriers to release after the transaction. */
export async function removeEveryCarrier(tx: Tx, organisationId: string): Promise<string[]> {
  await lockCarriers(tx, organisationId);
  return deleteCarriers(tx, organisationId);
}
