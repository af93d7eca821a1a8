import { seeRemovedLeads } from "../../../db/see-removed-leads.ts";
import type { Tx } from "../../../db/transaction.ts";
import {
  hasCrmOwner,
  type IntegrationKey,
  selectCrmOwnerOf,
  selectLeadOwner,
  selectLeadsWithOwnOwner,
} from "./crm-owners.table.ts";

/** An owner whom the team chose. */
export interface OwnOwner {
  /** The member's name. Null: the team has unassigned the lead. */
  member: string | null;
  /** Who that is in the CRM. Null if the lead is unassigned, or if Map fields gives this member no owner. */
  inCrm: { name: string; email: string } | null;
  /** Whom the CRM last reported, as crmOwnerOf. */
  reported: string;
}

/** Null if the lead's owner is the one that the CRM reported. A member whom the CRM hasn't named is sought by email. */
export async function readOwnOwner(
  tx: Tx,
  { leadId, ...key }: IntegrationKey & { leadId: string },
): Promise<OwnOwner | null> {
  await seeRemovedLeads(tx, "on");
  const lead = await selectLeadOwner(tx, key, leadId);
  await seeRemovedLeads(tx, "off");
  if (lead === null) return null;
  const { owner_id: userId, owner_name: nameInCrm, crm_owner: reported, mapped_id: mappedId, name, email } = lead;
  if (userId === null) return nameInCrm === "" && reported !== "" ? { member: null, inCrm: null, reported } : null;
  if (userId === mappedId || name === null || email === null) return null;
  const known = await selectCrmOwnerOf(tx, key, { userId, email });
  const inCrm = known ?? ((await hasCrmOwner(tx, key, email)) ? null : { name, email });
  return { member: name, inCrm, reported };
}

export const leadsWithOwnOwner = (tx: Tx, key: IntegrationKey): Promise<string[]> => selectLeadsWithOwnOwner(tx, key);
