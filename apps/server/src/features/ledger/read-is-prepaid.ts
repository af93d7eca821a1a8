import type { Tx } from "../../db/transaction.ts";
import { selectBillingMode } from "./ledger.table.ts";

/** Whether the organisation's calls and numbers are paid from its balance. Otherwise its own carrier bills them. */
export const readIsPrepaid = async (tx: Tx, organisationId: string): Promise<boolean> =>
  (await selectBillingMode(tx, organisationId)) === "prepaid";
