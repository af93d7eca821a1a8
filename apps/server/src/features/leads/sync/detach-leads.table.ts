import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";
import { hasOwnOwner } from "../owners/crm-owners.table.ts";

interface OfIntegration {
  organisationId: string;
  integrationId: string;
}

/** Identifies the CRM account, whichever integration connects it. Null if the CRM doesn't report it. */
const accountOf = ({ organisationId, integrationId }: OfIntegration) => sql<string | null>`(
  select service || ':' || account_id from integrations
  where organisation_id = ${organisationId} and id = ${integrationId})`;

/** All of the integration's leads, or those with these external ids, whose records the CRM no longer has. Returns how many. */
export async function clearOrigin(tx: Tx, key: OfIntegration, externalIds?: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update leads set integration_id = null, external_id = null, former_account = origin.account,
      former_external_id = case when origin.account is null then null else external_id end,
      crm_values = case when origin.account is not null then crm_values end,
      left_crm_at = ${externalIds === undefined ? null : sql`clock_timestamp()`}
    from (select ${accountOf(key)} as account) as origin
    where organisation_id = ${key.organisationId} and integration_id = ${key.integrationId}
      ${externalIds === undefined ? sql`` : sql`and external_id = any(${externalIds}::text[])`}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Detached leads of the integration's account, the newest if one was detached twice. */
export async function restoreOrigin(tx: Tx, key: OfIntegration, externalIds: readonly string[]): Promise<void> {
  await sql`
    update leads set integration_id = ${key.integrationId}, external_id = former_external_id,
      former_account = null, former_external_id = null, left_crm_at = null
    where organisation_id = ${key.organisationId} and id in (
      select distinct on (former_external_id) id from leads as former
      where organisation_id = ${key.organisationId} and former_account = ${accountOf(key)}
        and former_external_id = any(${externalIds}::text[])
        and not exists (
          select from leads as known where known.organisation_id = former.organisation_id
            and known.integration_id = ${key.integrationId} and known.external_id = former.former_external_id)
      order by former_external_id, position desc)`.execute(tx);
}

/** Those of these external ids whose leads the team has worked with. Locks their rows until the transaction ends. */
export async function selectWorkedWith(tx: Tx, key: OfIntegration, externalIds: readonly string[]): Promise<string[]> {
  // Locked first: whoever adds a note meanwhile waits, and a note added before is visible to the next statement.
  const held = await tx
    .selectFrom("leads")
    .select("id")
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .where("external_id", "=", sql<string>`any(${externalIds}::text[])`)
    .orderBy("id")
    .forUpdate()
    .execute();
  if (held.length === 0) return [];
  const { rows } = await sql<{ external_id: string }>`
    select external_id from leads
    where organisation_id = ${key.organisationId} and id = any(${held.map(({ id }) => id)}::uuid[]) and (
      follow_up_on is not null
      -- The team's own values.
      or crm_values is not null or status <> coalesce(crm_status, 'New') or ${hasOwnOwner(key)}
      or exists (select from lead_writes where lead_writes.lead_id = leads.id and lead_writes.state <> 'written')
      -- Merged, or merged into: undoing it brings each back.
      or exists (select from lead_merges where lead_merges.kept_id = leads.id)
      or exists (select from lead_merges where lead_merges.id = leads.removal_id)
      or exists (select from lead_notes where lead_notes.lead_id = leads.id)
      or exists (select from files where files.lead_id = leads.id)
      or exists (select from calls where calls.lead_id = leads.id)
      or exists (select from calls
        where calls.organisation_id = leads.organisation_id and calls.phone_number = leads.phone_number)
      or exists (select from follow_ups
        where follow_ups.organisation_id = leads.organisation_id and follow_ups.phone_number = leads.phone_number))`.execute(
    tx,
  );
  return rows.map((row) => row.external_id);
}
