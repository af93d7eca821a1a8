import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface ErasedCrmRecordTable {
  organisation_id: string;
  /** SHA-256 of the organisation, the CRM account and the record's id there. */
  record_hash: Buffer;
}

const hashOf = (organisationId: string, account: RawBuilder<unknown>, externalId: RawBuilder<unknown>) =>
  sql`sha256(convert_to(concat_ws(' ', ${organisationId}::text, ${account}, ${externalId}), 'UTF8'))`;

/** Needs the leads, and seeRemovedLeads "on". */
export async function insertErasedRecords(
  tx: Tx,
  { organisationId, leadIds }: { organisationId: string; leadIds: readonly string[] },
): Promise<void> {
  await sql`
    insert into erased_crm_records (organisation_id, record_hash)
    select ${organisationId}::uuid, ${hashOf(organisationId, sql`account`, sql`external_id`)} from (
      select coalesce(service || ':' || account_id, 'integration:' || integrations.id) as account, external_id
      from leads join integrations on integrations.id = leads.integration_id
      where leads.organisation_id = ${organisationId} and leads.id = any(${leadIds}::uuid[])
      union
      select former_account, former_external_id from leads
      where organisation_id = ${organisationId} and id = any(${leadIds}::uuid[]) and former_account is not null
    ) records
    on conflict do nothing`.execute(tx);
}

/** Of these external ids, those whose records were erased here. */
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
    ) account
    join erased_crm_records erased on erased.organisation_id = ${organisationId}
      and erased.record_hash = ${hashOf(organisationId, sql`account.name`, sql`given.external_id`)}
    where account.name is not null
      and exists (select from erased_crm_records where organisation_id = ${organisationId})`.execute(tx);
  return new Set(rows.map((row) => row.external_id));
}
