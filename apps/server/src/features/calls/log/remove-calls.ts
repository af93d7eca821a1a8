import type { Tx } from "../../../db/transaction.ts";
import { deleteSomeCalls } from "./call-log.table.ts";

/** Permanently deletes up to `most` of an organisation's calls and returns how many. */
export const removeSomeCalls = (tx: Tx, organisationId: string, most: number): Promise<number> =>
  deleteSomeCalls(tx, organisationId, most);
