import type { Tx } from "../../db/transaction.ts";
import { deleteSomeRemoved, showSomeLeads } from "./removed-leads.table.ts";

interface Removal {
  organisationId: string;
  removalId: string;
}

/** Puts back at most so many of the leads that a deletion hid, with all that is theirs; answers how many. */
export const showRemovedLeads = (tx: Tx, removal: Removal, most: number): Promise<number> =>
  showSomeLeads(tx, removal, most);

/** Deletes at most so many of them for good; answers how many. */
export const purgeRemovedLeads = (tx: Tx, removal: Removal, most: number): Promise<number> =>
  deleteSomeRemoved(tx, removal, most);
