import type { Tx } from "../../db/transaction.ts";
import { lockRecords } from "./carrier-records.table.ts";

/** For a transaction that blanks numbers: until it ends no record is stored, so that it misses none. */
export const pauseRecords = (tx: Tx, organisationId: string): Promise<void> => lockRecords(tx, organisationId);
