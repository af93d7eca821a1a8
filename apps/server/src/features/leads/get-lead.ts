import type { Lead } from "@leadline/contract/leads";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { findLead, type LeadKey, selectLeadsByIds } from "./leads.table.ts";

/** A lead of the organisation; a foreign one answers as one that does not exist. */
export async function requireLead(tx: Tx, key: LeadKey): Promise<Lead> {
  const lead = await findLead(tx, key);
  if (lead === null) throw leadNotFound();
  return lead;
}

export async function leadsByIds(
  tx: Tx,
  organisationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Lead>> {
  return new Map((await selectLeadsByIds(tx, organisationId, ids)).map((lead) => [lead.id, lead]));
}

export const leadNotFound = (): Problem => new Problem("not-found", "Lead not found.");
