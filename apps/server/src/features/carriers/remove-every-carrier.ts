import type { Tx } from "../../db/transaction.ts";
import { deleteCarriers, lockCarriers } from "./carriers.table.ts";

/** Of an organisation that goes. Answers which are to be let go of once the transaction has ended. */
export async function removeEveryCarrier(tx: Tx, organisationId: string): Promise<string[]> {
  await lockCarriers(tx, organisationId);
  return deleteCarriers(tx, organisationId);
}
