import type { Tx } from "../../db/transaction.ts";
import { hasRecords } from "./carrier-records.table.ts";

/** Whether the carrier's own records will say what its calls cost. */
export const readsRecordsOf = (tx: Tx, carrier: { organisationId: string; carrierId: string }): Promise<boolean> =>
  hasRecords(tx, carrier);
