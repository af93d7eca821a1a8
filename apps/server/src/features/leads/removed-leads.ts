import type { Tx } from "../../db/transaction.ts";
import { deleteSomeRemoved, hasRemovedLeads, showSomeLeads } from "./removed-leads.table.ts";

interface Removal {
  organisationId: string;
  removalId: string;
}

/** Puts back at most so many of the leads that a deletion hid, with all that is theirs; answers how many. */
export const showRemovedLeads = (tx: Tx, removal: Removal, most: number): Promise<number> =>
  showSomeLeads(tx, removal, most);

/**
 * Deletes at most so many of them for good. `some`: there may be more. `rest`: those that are left are needed for a call that isn't
 * written to their CRM yet. `all`: none is left.
 */
export async function purgeRemovedLeads(tx: Tx, removal: Removal, most: number): Promise<"some" | "rest" | "all"> {
  if ((await deleteSomeRemoved(tx, removal, most)) === most) return "some";
  return (await hasRemovedLeads(tx, removal)) ? "rest" : "all";
}
