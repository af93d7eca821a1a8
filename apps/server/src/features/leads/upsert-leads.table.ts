import type { LeadStatus } from "@leadline/contract/leads";
import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface ExternalLeadRow {
  externalId: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  phoneNumber: string | null;
}

/**
 * One statement for all rows, which must differ in their external ids; a row that says nothing new is not written.
 * Either every row names a status or none does. A lead's own stays until the CRM says another than it last said.
 */
export async function upsertExternalLeads(
  tx: Tx,
  key: { organisationId: string; integrationId: string },
  leads: readonly ExternalLeadRow[],
  statuses: readonly LeadStatus[] | null,
): Promise<{ created: number; updated: number }> {
  const column = <K extends keyof ExternalLeadRow>(name: K) => leads.map((lead) => lead[name]);
  const [status, crmStatus] =
    statuses === null
      ? [sql`had.status`, sql`had.crm_status`]
      : [
          sql`case when excluded.crm_status is distinct from had.crm_status then excluded.status else had.status end`,
          sql`excluded.crm_status`,
        ];
  const { rows } = await sql<{ created: number; updated: number }>`
    with written as (
      insert into leads as had
        (organisation_id, integration_id, external_id, first_name, last_name, email, phone, phone_number, status,
          crm_status)
      select ${key.organisationId}::uuid, ${key.integrationId}::uuid,
        given.external_id, given.first_name, given.last_name, given.email, given.phone, given.phone_number,
        coalesce(given.status, 'New'), given.status
      from unnest(
        ${column("externalId")}::text[], ${column("firstName")}::text[], ${column("lastName")}::text[],
        ${column("email")}::text[], ${column("phone")}::text[], ${column("phoneNumber")}::text[], ${statuses ?? leads.map(() => null)}::text[]
      ) with ordinality as given (external_id, first_name, last_name, email, phone, phone_number, status, row)
      order by given.row
      on conflict (organisation_id, integration_id, external_id) do update set
        first_name = excluded.first_name, last_name = excluded.last_name, email = excluded.email,
        phone = excluded.phone, phone_number = excluded.phone_number, status = ${status},
        crm_status = ${crmStatus}, updated_at = clock_timestamp()
      where (had.first_name, had.last_name, had.email, had.phone, had.phone_number, had.crm_status) is distinct from
        (excluded.first_name, excluded.last_name, excluded.email, excluded.phone, excluded.phone_number, ${crmStatus})
      returning xmax = 0 as created
    )
    select count(*) filter (where created)::int as created, count(*) filter (where not created)::int as updated
    from written`.execute(tx);
  return rows[0] ?? { created: 0, updated: 0 };
}

/** How many there were. */
export async function deleteExternalLeads(
  tx: Tx,
  key: { organisationId: string; integrationId: string },
  externalIds: readonly string[],
): Promise<number> {
  const deleted = await tx
    .deleteFrom("leads")
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .where("external_id", "=", sql<string>`any(${externalIds}::text[])`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
