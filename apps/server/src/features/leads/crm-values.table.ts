import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import type { LeadStatus } from "@leadline/contract/leads";
import { type CrmColumn, crmColumns, type LeadKey } from "./leads.table.ts";

/** While "on", changes of leads in this transaction come from the CRM, not from the team (migration 0047). */
export async function readCrm(tx: Tx, reads: "on" | "off"): Promise<void> {
  await sql`select set_config('app.reads_crm', ${reads}, true)`.execute(tx);
}

/** These columns are read from other fields of the CRM from now on, whose values aren't known yet. */
export async function forgetCrmValues(
  tx: Tx,
  key: { organisationId: string; integrationId: string },
  columns: readonly CrmColumn[],
): Promise<void> {
  await sql`
    update leads set crm_values = (
      select jsonb_object_agg(key, case when key = any(${columns}::text[]) then 'null' else value end)
      from jsonb_each(crm_values))
    where organisation_id = ${key.organisationId} and integration_id = ${key.integrationId}
      and crm_values ?| ${columns}::text[]`.execute(tx);
}

export interface CrmEditsRow extends Record<CrmColumn, string> {
  integration_id: string | null;
  external_id: string | null;
  removal_id: string | null;
  crm_values: Partial<Record<CrmColumn, string | null>> | null;
  status: LeadStatus;
  crm_status: LeadStatus | null;
  crm_status_value: string | null;
}

export async function selectCrmEdits(tx: Tx, { id, organisationId }: LeadKey): Promise<CrmEditsRow | null> {
  const row = await tx
    .selectFrom("leads")
    .select(crmColumns)
    .select(["integration_id", "external_id", "removal_id", "crm_values", "status", "crm_status", "crm_status_value"])
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

export interface SentToCrm {
  values: Partial<Record<CrmColumn, string>>;
  /** The status and the CRM's own value for it. */
  status: { status: LeadStatus; statusValue: string } | null;
  /** As crm_owner. Null if it wasn't sent. */
  owner: string | null;
}

/** The CRM has these values from now on. What has been changed here since they were read still differs. */
export async function setCrmValues(tx: Tx, { id, organisationId }: LeadKey, sent: SentToCrm): Promise<void> {
  await sql`
    update leads set crm_values = (
        select jsonb_object_agg(key, value)
        from jsonb_each_text(coalesce(crm_values, '{}') || ${JSON.stringify(sent.values)}::jsonb) as crm
        where value is distinct from to_jsonb(leads) ->> key),
      crm_status = coalesce(${sent.status?.status ?? null}, crm_status),
      crm_status_value = coalesce(${sent.status?.statusValue ?? null}, crm_status_value),
      crm_owner = coalesce(${sent.owner}, crm_owner)
    where organisation_id = ${organisationId} and id = ${id}`.execute(tx);
}

export interface LinkToCrm {
  integrationId: string;
  externalId: string;
  crmValues: Partial<Record<CrmColumn, string>>;
  status: LeadStatus | null;
  statusValue: string | null;
  crmOwner: string;
}

/** Attaches a lead to its CRM record. A status and an owner that the lead has are the team's own. */
export async function setOrigin(tx: Tx, { id, organisationId }: LeadKey, link: LinkToCrm): Promise<void> {
  const { integrationId, externalId, crmValues, status, statusValue, crmOwner } = link;
  await sql`
    update leads set integration_id = ${integrationId}, external_id = ${externalId},
      former_account = null, former_external_id = null, left_crm_at = null, crm_values = nullif(${JSON.stringify(crmValues)}::jsonb, '{}'),
      crm_status = ${status}, crm_status_value = ${statusValue},
      crm_owner = case when owner_id is null and owner_name = '' then '' else ${crmOwner} end
    where organisation_id = ${organisationId} and id = ${id}`.execute(tx);
}

export async function selectByExternalId(
  tx: Tx,
  { organisationId, integrationId, externalId }: { organisationId: string; integrationId: string; externalId: string },
): Promise<{ id: string; createdAt: string } | null> {
  const row = await tx
    .selectFrom("leads")
    .select(["id", "created_at as createdAt"])
    .where("organisation_id", "=", organisationId)
    .where("integration_id", "=", integrationId)
    .where("external_id", "=", externalId)
    .executeTakeFirst();
  return row ?? null;
}
