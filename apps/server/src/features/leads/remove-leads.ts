import type { Tx } from "../../db/transaction.ts";
import { deleteSomeLeads } from "./leads.table.ts";

/** Deletes some of an organisation's leads for good; returns how many. */
export const removeSomeLeads = (tx: Tx, organisationId: string, most: number): Promise<number> =>
  deleteSomeLeads(tx, organisationId, most);
