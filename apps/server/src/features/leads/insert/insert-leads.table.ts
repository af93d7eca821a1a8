import type { Tx } from "../../../db/transaction.ts";
import type { LeadStatus } from "@leadline/contract/leads";
import { sql } from "kysely";
import { type CrmColumn, crmColumns } from "../leads.table.ts";

export interface NewLeadRow {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  phoneNumber: string | null;
  company: string;
  jobTitle: string;
  status: LeadStatus;
  nextStep: string;
  followUpOn: string | null;
}

/** In the given order. Returns how many. */
export async function insertLeadRows(tx: Tx, organisationId: string, leads: readonly NewLeadRow[]): Promise<number> {
  const column = <K extends keyof NewLeadRow>(name: K) => leads.map((lead) => lead[name]);
  const { numAffectedRows } = await sql`
    insert into leads
      (organisation_id, first_name, last_name, email, phone, phone_number, company, job_title, status, next_step,
        follow_up_on)
    select ${organisationId}::uuid, first_name, last_name, email, phone, phone_number, company, job_title, status,
      next_step, follow_up_on
    from unnest(
      ${column("firstName")}::text[], ${column("lastName")}::text[], ${column("email")}::text[],
      ${column("phone")}::text[], ${column("phoneNumber")}::text[], ${column("company")}::text[],
      ${column("jobTitle")}::text[], ${column("status")}::text[], ${column("nextStep")}::text[],
      ${column("followUpOn")}::date[]
    ) with ordinality as given
      (first_name, last_name, email, phone, phone_number, company, job_title, status, next_step, follow_up_on, row)
    order by row`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Those of these numbers that a lead has, each with its oldest lead. */
export async function selectKnownNumbers(
  tx: Tx,
  organisationId: string,
  phoneNumbers: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom("leads")
    .select(["phone_number", "id"])
    .distinctOn("phone_number")
    .where("organisation_id", "=", organisationId)
    .where("phone_number", "=", sql<string>`any(${phoneNumbers}::text[])`)
    .orderBy("phone_number")
    .orderBy("position")
    .execute();
  return new Map(rows.flatMap((row) => (row.phone_number === null ? [] : [[row.phone_number, row.id]])));
}

/** Which of these (counted from 0) equal a lead without a number in name, email and phone as written, with that lead. */
export async function selectKnownWithoutNumber(
  tx: Tx,
  organisationId: string,
  leads: readonly Pick<NewLeadRow, "firstName" | "lastName" | "email" | "phone">[],
): Promise<{ index: number; leadId: string }[]> {
  if (leads.length === 0) return [];
  const column = (name: "firstName" | "lastName" | "email" | "phone") => leads.map((lead) => lead[name]);
  // The sort name follows from the names: it is here for its index.
  const { rows } = await sql<{ row: number; lead_id: string }>`
    select given.row::int, known.id as lead_id from unnest(
      ${column("firstName")}::text[], ${column("lastName")}::text[], ${column("email")}::text[], ${column("phone")}::text[]
    ) with ordinality as given (first_name, last_name, email, phone, row)
    cross join lateral (
      select leads.id from leads
      where leads.organisation_id = ${organisationId} and leads.phone_number is null
        and leads.sort_name = lower(left(given.last_name || ' ' || given.first_name, 200))
        and leads.first_name = given.first_name and leads.last_name = given.last_name
        and leads.email = given.email and leads.phone = given.phone
      order by leads.position limit 1) as known`.execute(tx);
  return rows.map(({ row, lead_id: leadId }) => ({ index: row - 1, leadId }));
}

export interface ExternalLeadRow {
  externalId: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  phoneNumber: string | null;
  company: string;
  jobTitle: string;
  nextStep: string;
  url: string | null;
  /** The value the status was read from: a field, a line break and the value. Null if unknown. */
  statusValue: string | null;
  /** JSON. */
  customFields: string;
  /** If the owner is a member. */
  ownerId: string | null;
  /** If the owner isn't a member. */
  ownerName: string;
  /** By name and email. Empty if the CRM has no owner. */
  crmOwner: string;
}

/** The team's status stays if only the mapping has changed since: the meaning of the value, or the mapped field. */
const takenStatus = sql`case
  when excluded.crm_status is not distinct from had.crm_status then had.status
  when had.status is not distinct from had.crm_status then excluded.status
  when had.crm_status_value is null or excluded.crm_status_value is null then excluded.status
  when had.crm_status_value is distinct from excluded.crm_status_value
    and split_part(had.crm_status_value, chr(10), 1) = split_part(excluded.crm_status_value, chr(10), 1)
    then excluded.status
  else had.status end`;

/** Whether the team's value stays: it differs from the CRM's, and the CRM's is still the one last reported, or unknown. */
const isKept = (name: CrmColumn) => sql`(
  had.crm_values ? ${sql.lit(name)}
  and coalesce(had.crm_values ->> ${sql.lit(name)}, ${sql.ref(`excluded.${name}`)}) = ${sql.ref(`excluded.${name}`)})`;
const takenValue = (name: CrmColumn | "phone_number") => sql`case
  when ${isKept(name === "phone_number" ? "phone" : name)} then ${sql.ref(`had.${name}`)}
  else ${sql.ref(`excluded.${name}`)} end`;
const crmValues = sql`case when had.crm_values is not null then (
  select jsonb_object_agg(field, crm) from (values ${sql.join(
    crmColumns.map(
      (name) => sql`
      (${sql.lit(name)}, ${sql.ref(`had.${name}`)}, ${sql.ref(`excluded.${name}`)}, ${isKept(name)})`,
    ),
  )}
  ) as fields (field, own, crm, is_kept) where is_kept and own <> crm) end`;
const takenColumns = [...crmColumns, "phone_number"] as const;
const ownValues = sql.join(takenColumns.map((name) => sql.ref(`had.${name}`)));
const takenValues = sql.join(takenColumns.map(takenValue));

/**
 * Upserts all rows in one statement. External ids must be unique. Unchanged rows, and those that were read after `asOf`,
 * are neither written nor locked. Either every row has a status or none does. What the team set in a lead stays until the
 * CRM's value differs from what it last reported.
 */
export async function upsertExternalLeads(
  tx: Tx,
  { asOf, ...key }: { organisationId: string; integrationId: string; asOf: string },
  leads: readonly ExternalLeadRow[],
  statuses: readonly LeadStatus[] | null,
): Promise<{ created: number; updated: number }> {
  if (leads.length === 0) return { created: 0, updated: 0 };
  const column = <K extends keyof ExternalLeadRow>(name: K) => leads.map((lead) => lead[name]);
  const [status, crmStatus, statusValue] =
    statuses === null
      ? [sql`had.status`, sql`had.crm_status`, sql`had.crm_status_value`]
      : [takenStatus, sql`excluded.crm_status`, sql`excluded.crm_status_value`];
  // Leads from an earlier release have no value yet, which matters if the team set a status.
  const knownValue = sql`case when had.status is distinct from had.crm_status then had.crm_status_value
    else coalesce(had.crm_status_value, ${statusValue}) end`;
  const ofOwner = (name: "owner_id" | "owner_name") => {
    const [own, given] = [sql.ref(`had.${name}`), sql.ref(`excluded.${name}`)];
    return sql`case when excluded.crm_owner is distinct from had.crm_owner then ${given} else ${own} end`;
  };
  // A subquery that yields a value is looked up row by row; "not exists" could become a scan of all leads.
  const isUpToDate = sql`(
    select coalesce(had.crm_read_at > ${asOf}::timestamptz, false)
      or (${ownValues}, had.crm_values, had.crm_url, had.crm_status, ${knownValue}, had.crm_owner, had.crm_fields)
      is not distinct from (${takenValues}, ${crmValues}, excluded.crm_url, ${crmStatus}, ${statusValue},
        excluded.crm_owner, excluded.crm_fields)
    from leads as had where had.organisation_id = ${key.organisationId}
      and had.integration_id = ${key.integrationId} and had.external_id = excluded.external_id)`;
  // The rows are named "excluded", as in the update, because both compare by the same expressions.
  const { rows } = await sql<{ created: number; updated: number }>`
    with written as (
      insert into leads as had
        (organisation_id, integration_id, external_id, first_name, last_name, email, phone, phone_number, company,
          job_title, next_step, crm_url, status, crm_status, crm_status_value, owner_id, owner_name, crm_owner, crm_fields)
      select ${key.organisationId}::uuid, ${key.integrationId}::uuid,
        external_id, first_name, last_name, email, phone, phone_number, company, job_title, next_step,
        crm_url, coalesce(crm_status, 'New'), crm_status, crm_status_value, owner_id, owner_name, crm_owner, crm_fields
      from unnest(
        ${column("externalId")}::text[], ${column("firstName")}::text[], ${column("lastName")}::text[],
        ${column("email")}::text[], ${column("phone")}::text[], ${column("phoneNumber")}::text[],
        ${column("company")}::text[], ${column("jobTitle")}::text[],
        ${column("nextStep")}::text[], ${column("url")}::text[],
        ${statuses ?? leads.map(() => null)}::text[], ${column("statusValue")}::text[],
        ${column("ownerId")}::uuid[], ${column("ownerName")}::text[], ${column("crmOwner")}::text[],
        ${column("customFields")}::jsonb[]
      ) with ordinality as excluded
        (external_id, first_name, last_name, email, phone, phone_number, company, job_title, next_step, crm_url,
          crm_status, crm_status_value, owner_id, owner_name, crm_owner, crm_fields, row)
      where ${isUpToDate} is not true
      order by row
      on conflict (organisation_id, integration_id, external_id) do update set
        (${sql.join(takenColumns.map((name) => sql.ref(name)))}) = row (${takenValues}),
        crm_values = ${crmValues}, crm_url = excluded.crm_url, status = ${status},
        crm_status = ${crmStatus}, crm_status_value = ${statusValue}, owner_id = ${ofOwner("owner_id")}, owner_name = ${ofOwner("owner_name")},
        crm_owner = excluded.crm_owner, crm_fields = excluded.crm_fields, updated_at = clock_timestamp()
      returning xmax = 0 as created
    )
    select count(*) filter (where created)::int as created, count(*) filter (where not created)::int as updated
    from written`.execute(tx);
  return rows[0] ?? { created: 0, updated: 0 };
}

/** These were read by their ids at that time, or later. */
export async function noteReadById(
  tx: Tx,
  { organisationId, integrationId, asOf }: { organisationId: string; integrationId: string; asOf: string },
  externalIds: readonly string[],
): Promise<void> {
  await sql`
    update leads set crm_read_at = ${asOf}
    where organisation_id = ${organisationId} and integration_id = ${integrationId}
      and external_id = any(${externalIds}::text[])
      and coalesce(crm_read_at, '-infinity') < ${asOf}::timestamptz`.execute(tx);
}

/** Those of these external ids whose leads were read by their ids after that time. */
export async function selectReadAfter(
  tx: Tx,
  { organisationId, integrationId, asOf }: { organisationId: string; integrationId: string; asOf: string },
  externalIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ external_id: string }>`
    select external_id from leads
    where organisation_id = ${organisationId} and integration_id = ${integrationId}
      and external_id = any(${externalIds}::text[]) and crm_read_at > ${asOf}::timestamptz`.execute(tx);
  return rows.map((row) => row.external_id);
}

/** Returns how many there were. */
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
