import type { Tx } from "../../../db/transaction.ts";
import { deleteSomeCalls } from "./call-log.table.ts";

/** A part of an organisation's calls, for good; answers how many. */
export const removeSomeCalls = (tx: Tx, organisationId: string, most: number): Promise<number> =>
  deleteSomeCalls(tx, organisationId, most);
