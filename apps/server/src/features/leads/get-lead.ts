import type { Lead } from "@leadline/contract/leads";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { findLead, findMergedInto, type LeadKey, selectLeadsByIds } from "./leads.table.ts";

/** A lead of the organisation. Throws the same problem for others as for missing ones. */
export async function requireLead(tx: Tx, key: LeadKey): Promise<Lead> {
  const lead = await findLead(tx, key);
  if (lead === null) throw leadNotFound();
  return lead;
}

/** The id of a merged lead, as in an old link, returns the lead that it was merged into. */
export async function followLead(tx: Tx, { id, organisationId }: LeadKey): Promise<Lead> {
  for (let at: string | null = id; at !== null; at = await findMergedInto(tx, { id: at, organisationId })) {
    const lead = await findLead(tx, { id: at, organisationId });
    if (lead !== null) return lead;
  }
  throw leadNotFound();
}

export async function leadsByIds(
  tx: Tx,
  organisationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Lead>> {
  return new Map((await selectLeadsByIds(tx, organisationId, ids)).map((lead) => [lead.id, lead]));
}

export const leadNotFound = (): Problem => new Problem("not-found", "Lead not found.");
