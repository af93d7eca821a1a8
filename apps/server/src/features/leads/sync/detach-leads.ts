import type { Tx } from "../../../db/transaction.ts";
import { clearOrigin } from "./detach-leads.table.ts";
import { seeRemovedLeads } from "../../../db/see-removed-leads.ts";

/**
 * Their CRM is disconnected: they stay, as if they had been entered here. If the same account is connected again, its
 * sync reattaches them.
 */
export async function detachLeads(tx: Tx, key: { organisationId: string; integrationId: string }): Promise<void> {
  await seeRemovedLeads(tx, "on");
  await clearOrigin(tx, key);
  await seeRemovedLeads(tx, "off");
}
