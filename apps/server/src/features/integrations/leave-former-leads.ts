import type { Tx } from "../../db/transaction.ts";
import { detachLeads } from "../leads/detach-leads.ts";
import { stopComparing } from "./comparisons.table.ts";

/** The integration reads something else from now on, and its leads so far would be missing there: they stay, on their own. */
export async function leaveFormerLeads(tx: Tx, key: { organisationId: string; integrationId: string }): Promise<void> {
  await stopComparing(tx, key);
  await detachLeads(tx, key);
}
