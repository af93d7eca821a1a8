import type { Tx } from "../../db/transaction.ts";
import { clearOrigin } from "./detach-leads.table.ts";
import { seeRemovedLeads } from "../../db/see-removed-leads.ts";

/**
 * The CRM they came from is gone: they stay, as if they had been typed here. Should the same account be connected again,
 * its sync takes them up again.
 */
export async function detachLeads(tx: Tx, key: { organisationId: string; integrationId: string }): Promise<void> {
  await seeRemovedLeads(tx, "on");
  await clearOrigin(tx, key);
  await seeRemovedLeads(tx, "off");
}
