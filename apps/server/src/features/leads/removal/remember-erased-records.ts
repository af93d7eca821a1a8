import type { Tx } from "../../../db/transaction.ts";
import { insertErasedRecords } from "./erased-records.table.ts";

/** No sync brings these leads back, whichever integration connects their CRM account. Call it before deleting them. */
export const rememberErasedRecords = (
  tx: Tx,
  leads: { organisationId: string; leadIds: readonly string[] },
): Promise<void> => insertErasedRecords(tx, leads);
