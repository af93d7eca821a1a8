import type { LeadStatus } from "@leadline/contract/leads";
import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

interface Leads {
  organisationId: string;
  ids: readonly string[];
}

/** Returns how many had another owner. */
export async function setOwnerOfLeads(tx: Tx, { organisationId, ids }: Leads, ownerId: string | null): Promise<number> {
  const { numAffectedRows } = await sql`
    update leads set owner_id = ${ownerId}::uuid, owner_name = '', updated_at = clock_timestamp()
    where organisation_id = ${organisationId} and id = any(${ids}::uuid[])
      and (owner_id is distinct from ${ownerId}::uuid or owner_name <> '')`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Returns how many had another status. */
export async function setStatusOfLeads(tx: Tx, { organisationId, ids }: Leads, status: LeadStatus): Promise<number> {
  const { numAffectedRows } = await sql`
    update leads set status = ${status}, updated_at = clock_timestamp()
    where organisation_id = ${organisationId} and id = any(${ids}::uuid[]) and status <> ${status}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Without duplicates. */
export async function selectNumbersOfLeads(tx: Tx, { organisationId, ids }: Leads): Promise<string[]> {
  const { rows } = await sql<{ phone_number: string }>`
    select distinct phone_number from leads
    where organisation_id = ${organisationId} and id = any(${ids}::uuid[]) and phone_number is not null`.execute(tx);
  return rows.map((row) => row.phone_number);
}
