import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

/** A CRM record that no sync brings back. */
export interface ErasedCrmRecordTable {
  organisation_id: string;
  /** SHA-256 of the organisation, the CRM account and the record's id there. */
  record_hash: Buffer;
  /** The integration with whose removal this is forgotten, for a deleted lead. Null: its person was erased, for good. */
  integration_id: string | null;
  /** The hash is of one of these accounts: until migration 0086, an account was a person in some CRMs. Null since. */
  former_accounts: string[] | null;
}

interface OfRecord {
  organisationId: string;
  integrationId: string;
  externalId: string;
}
interface Leads {
  organisationId: string;
  leadIds: readonly string[];
}

const hashOf = (organisationId: string, account: RawBuilder<unknown>, externalId: RawBuilder<unknown>) =>
  sql`sha256(convert_to(concat_ws(' ', ${organisationId}::text, ${account}, ${externalId}), 'UTF8'))`;

/**
 * The records of these leads, each with the integration that is connected to its account, or null. Needs the leads, and
 * seeRemovedLeads "on".
 */
const recordsOf = (organisationId: string, leadIds: RawBuilder<unknown>) => sql`
  select ${hashOf(organisationId, sql`account`, sql`external_id`)} as record_hash, integration_id from (
    select coalesce(service || ':' || account_id, 'integration:' || integrations.id) as account, external_id,
      integrations.id as integration_id
    from leads join integrations on integrations.id = leads.integration_id
    where leads.organisation_id = ${organisationId} and leads.id in (${leadIds})
    union
    select former_account, former_external_id, integrations.id
    from leads left join integrations on integrations.organisation_id = ${organisationId}
      and integrations.service || ':' || integrations.account_id = former_account
    where leads.organisation_id = ${organisationId} and leads.id in (${leadIds}) and former_account is not null
  ) as records`;

export async function insertErasedRecords(tx: Tx, { organisationId, leadIds }: Leads): Promise<void> {
  const given = sql`select unnest(${leadIds}::uuid[])`;
  await sql`
    insert into erased_crm_records (organisation_id, record_hash)
    select distinct ${organisationId}::uuid, record_hash from (${recordsOf(organisationId, given)}) as erased
    on conflict (organisation_id, record_hash) do update set integration_id = null`.execute(tx);
}

/** For a statement that deletes these leads. */
export const insertDeletedRecords = (organisationId: string, leadIds: RawBuilder<unknown>) => sql`
  insert into erased_crm_records (organisation_id, record_hash, integration_id)
  select ${organisationId}::uuid, record_hash, integration_id
  from (${recordsOf(organisationId, leadIds)}) as deleted where integration_id is not null
  on conflict do nothing`;

/** The record that a CRM created for this lead while the lead was erased, or deleted for good. */
export async function insertRecordOfGoneLead(
  tx: Tx,
  { organisationId, integrationId, externalId, leadId }: OfRecord & { leadId: string },
): Promise<void> {
  const account = sql`coalesce(service || ':' || account_id, 'integration:' || integrations.id)`;
  await sql`
    insert into erased_crm_records (organisation_id, record_hash, integration_id)
    select ${organisationId}::uuid, ${hashOf(organisationId, account, sql`${externalId}::text`)}, case
      when not exists (select from erased_leads where organisation_id = ${organisationId} and erased_id = ${leadId})
      then integrations.id end
    from integrations where organisation_id = ${organisationId} and id = ${integrationId}
    on conflict do nothing`.execute(tx);
}

/** Of these external ids, those whose leads were deleted or erased here. */
export async function selectErasedRecords(
  tx: Tx,
  { organisationId, integrationId }: { organisationId: string; integrationId: string },
  externalIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ external_id: string }>`
    select given.external_id
    from unnest(${externalIds}::text[]) as given (external_id)
    cross join (
      select unnest(array[service || ':' || account_id, 'integration:' || id]) as name from integrations
      where organisation_id = ${organisationId} and id = ${integrationId}
      union
      select unnest(former_accounts) from erased_crm_records
      where organisation_id = ${organisationId} and former_accounts is not null
    ) account
    join erased_crm_records erased on erased.organisation_id = ${organisationId}
      and erased.record_hash = ${hashOf(organisationId, sql`account.name`, sql`given.external_id`)}
    where account.name is not null
      and exists (select from erased_crm_records where organisation_id = ${organisationId})`.execute(tx);
  return new Set(rows.map((row) => row.external_id));
}
