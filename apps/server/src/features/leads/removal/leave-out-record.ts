import type { Tx } from "../../../db/transaction.ts";
import { seeRemovedLeads } from "../../../db/see-removed-leads.ts";
import { deleteExternalLeads } from "../insert/insert-leads.table.ts";
import { insertRecordOfGoneLead } from "./erased-records.table.ts";

/**
 * No sync brings this CRM record in, because it was created for a lead that is gone. A lead that a sync has already made
 * of it is deleted. The caller has locked the integration.
 */
export async function leaveOutRecord(
  tx: Tx,
  { leadId, externalId, ...key }: { organisationId: string; integrationId: string; externalId: string; leadId: string },
): Promise<void> {
  await seeRemovedLeads(tx, "on");
  await deleteExternalLeads(tx, key, [externalId]);
  await insertRecordOfGoneLead(tx, { ...key, externalId, leadId });
  await seeRemovedLeads(tx, "off");
}
