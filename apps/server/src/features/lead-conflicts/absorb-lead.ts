import { seeRemovedLeads } from "../../db/see-removed-leads.ts";
import type { Tx } from "../../db/transaction.ts";
import { deleteAbsorbed, fillGaps, holdLeads, moveActivities, moveBelongings } from "./merges.table.ts";

/**
 * Makes two leads for one CRM record one: what the other has moves to the kept lead, and the other is deleted. Nothing
 * is left to undo, unlike a merge of two records.
 */
export async function absorbLead(
  tx: Tx,
  { organisationId, keptId, otherId }: { organisationId: string; keptId: string; otherId: string },
): Promise<void> {
  await seeRemovedLeads(tx, "on");
  const pair = { id: keptId, organisationId, keptId };
  await holdLeads(tx, organisationId, [keptId, otherId]);
  await moveBelongings(tx, pair, [otherId]);
  await moveActivities(tx, pair, otherId);
  await fillGaps(tx, pair, [otherId]);
  await deleteAbsorbed(tx, pair, otherId);
  await seeRemovedLeads(tx, "off");
}
