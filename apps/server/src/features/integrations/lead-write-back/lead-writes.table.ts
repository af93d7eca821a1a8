import type { LeadWriting } from "@leadline/contract/written-leads";
import { type ColumnType, type Generated, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";
import { type DueWrite, noteTrouble, noteWritten, type OutboxColumns } from "../outbox/outbox.table.ts";

/** Triggers on leads insert changes (migration 0053). */
export interface LeadWriteTable extends OutboxColumns {
  lead_id: string;
  integration_id: string;
  state: Generated<"waiting" | "written" | "failed">;
  /** The lead isn't in the CRM yet. */
  creates: Generated<boolean>;
  /** By field, what a creation that may have succeeded sent. */
  created_with: ColumnType<Record<string, string> | null, string | null, string | null>;
  /** Fields in which the CRM's value replaced the team's. */
  conflicts: Generated<string[]>;
}

interface OfLead {
  organisationId: string;
  leadId: string;
}

export interface StoredLeadWrite {
  creates: boolean;
  createdWith: Record<string, string> | null;
  createdAt: string;
}

export async function selectLeadWrite(tx: Tx, { key }: DueWrite): Promise<StoredLeadWrite | null> {
  const row = await tx
    .selectFrom("lead_writes")
    .select(["creates", "created_with as createdWith", "created_at as createdAt"])
    .where("lead_id", "=", key)
    .executeTakeFirst();
  return row ?? null;
}

/** Committed before the CRM is asked to create the record, whose answer may get lost. */
export async function noteCreating(tx: Tx, { key }: DueWrite, values: object): Promise<void> {
  await tx
    .updateTable("lead_writes")
    .set({ created_with: JSON.stringify(values) })
    .where("lead_id", "=", key)
    .execute();
}

/** `problem`: what could not be written. */
export async function noteLeadWritten(
  tx: Tx,
  due: DueWrite,
  { conflicts, problem }: { conflicts: readonly string[]; problem: string | null },
): Promise<void> {
  await tx
    .updateTable("lead_writes")
    .set({ creates: false, created_with: null, conflicts: sql<string[]>`${conflicts}::text[]` })
    .where("lead_id", "=", due.key)
    .execute();
  if (problem === null) await noteWritten(tx, "lead_writes", due);
  else await noteTrouble(tx, "lead_writes", due, { problem, afterMs: null });
}

/** The record lacks what the lead has. */
export async function makeDueAgain(tx: Tx, { key }: DueWrite): Promise<void> {
  await tx.updateTable("lead_writes").set({ state: "waiting" }).where("lead_id", "=", key).execute();
}

/** Creates the lead in the CRM, once. */
export async function insertCreation(tx: Tx, lead: OfLead & { integrationId: string }): Promise<void> {
  await sql`
    insert into lead_writes (lead_id, organisation_id, integration_id, creates)
    values (${lead.leadId}, ${lead.organisationId}, ${lead.integrationId}, true)
    on conflict (lead_id) do update set integration_id = excluded.integration_id, creates = true, state = 'waiting',
      version = lead_writes.version + 1, created_with = null, conflicts = '{}', problem = null, tries = 0,
      due_at = clock_timestamp(), created_at = clock_timestamp()
    where lead_writes.state <> 'waiting' or not lead_writes.creates`.execute(tx);
}

/** Nothing is to be written of a lead that left its CRM. */
const concernsItsCrm = sql<boolean>`(written.creates or exists (
  select from leads where leads.id = written.lead_id and leads.integration_id = written.integration_id))`;

export async function findLeadWriting(tx: Tx, { organisationId, leadId }: OfLead): Promise<LeadWriting | null> {
  const row = await tx
    .selectFrom("lead_writes as written")
    .innerJoin("integrations", "integrations.id", "written.integration_id")
    .select(["written.state", "written.creates", "written.problem", "written.conflicts", "integrations.service"])
    .where("written.organisation_id", "=", organisationId)
    .where("written.lead_id", "=", leadId)
    .where(concernsItsCrm)
    .$narrowType<{ conflicts: LeadWriting["conflicts"] }>()
    .executeTakeFirst();
  return row ?? null;
}

interface OfIntegration {
  organisationId: string;
  integrationId: string;
}

/** Leads that the CRM doesn't have as they are yet: they wait, or were refused. */
export async function countUnwrittenLeads(tx: Tx, { organisationId, integrationId }: OfIntegration): Promise<number> {
  const { count } = await tx
    .selectFrom("lead_writes as written")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("written.organisation_id", "=", organisationId)
    .where("written.integration_id", "=", integrationId)
    .where("written.state", "in", ["waiting", "failed"])
    .where(concernsItsCrm)
    .executeTakeFirstOrThrow();
  return count;
}

/** All leads with values that the CRM doesn't have. `others`: of these the CRM has another owner. */
export async function insertDifferences(
  tx: Tx,
  { organisationId, integrationId }: OfIntegration,
  others: readonly string[],
): Promise<void> {
  await sql`
    insert into lead_writes (lead_id, organisation_id, integration_id)
    select id, organisation_id, integration_id from leads
    where organisation_id = ${organisationId} and integration_id = ${integrationId}
      and (crm_values is not null or status <> crm_status or id = any(${others}::uuid[]))
    on conflict (lead_id) do update set integration_id = excluded.integration_id, state = 'waiting',
      version = lead_writes.version + 1, problem = null, tries = 0, due_at = clock_timestamp()
    where not lead_writes.creates`.execute(tx);
}

/** Keeps leads that are being created. */
export async function deleteChanges(tx: Tx, { organisationId, integrationId }: OfIntegration): Promise<void> {
  await tx
    .deleteFrom("lead_writes")
    .where("organisation_id", "=", organisationId)
    .where("integration_id", "=", integrationId)
    .where("creates", "=", false)
    .execute();
}
