import type { Tx } from "../../../db/transaction.ts";
import { deleteSomeRemoved, hasRemovedLeads, lockIntegrations, showSomeLeads } from "./removed-leads.table.ts";

interface Removal {
  organisationId: string;
  removalId: string;
}

/** Restores up to `most` leads that a deletion hid, with everything that belongs to them. Returns how many. */
export const showRemovedLeads = (tx: Tx, removal: Removal, most: number): Promise<number> =>
  showSomeLeads(tx, removal, most);

/**
 * Keeps syncs from storing a page until the transaction ends: a page that doesn't know of a deletion yet would bring the
 * lead back. Call it before anything locks leads, because syncs lock in this order.
 */
export const holdSyncs = (tx: Tx, organisationId: string): Promise<void> => lockIntegrations(tx, organisationId);

/**
 * Permanently deletes up to `most` of them, after holdSyncs. No sync brings them back while their integration exists.
 * `some`: there may be more. `rest`: the remaining ones are needed for what isn't in their CRM yet. `all`:
 * none is left.
 */
export async function purgeRemovedLeads(tx: Tx, removal: Removal, most: number): Promise<"some" | "rest" | "all"> {
  if ((await deleteSomeRemoved(tx, removal, most)) === most) return "some";
  return (await hasRemovedLeads(tx, removal)) ? "rest" : "all";
}
