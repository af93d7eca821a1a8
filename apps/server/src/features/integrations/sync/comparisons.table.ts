import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

/** A lead that a full comparison has seen in the CRM. */
export interface SyncRunLeadTable {
  run_id: string;
  organisation_id: string;
  external_id: string;
}

interface OfIntegration {
  organisationId: string;
  integrationId: string;
}
interface OfRun extends OfIntegration {
  runId: string;
}

/** Resets the cursor, so that the run reads every lead. */
export async function beginComparison(tx: Tx, key: OfIntegration): Promise<void> {
  await deleteSeenLeads(tx, key);
  await tx
    .updateTable("integrations")
    .set({ sync_cursor: null })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .execute();
}

export async function recordSeenLeads(
  tx: Tx,
  { runId, organisationId, externalIds }: Omit<OfRun, "integrationId"> & { externalIds: readonly string[] },
): Promise<void> {
  await sql`insert into sync_run_leads (run_id, organisation_id, external_id)
    select ${runId}, ${organisationId}, unnest(${externalIds}::text[]) on conflict do nothing`.execute(tx);
}

/** Leads that arrived by other means while a full comparison runs, which may have already passed them. */
export async function recordSeenByLiveRun(
  tx: Tx,
  { organisationId, integrationId }: OfIntegration,
  externalIds: readonly string[],
): Promise<void> {
  await sql`insert into sync_run_leads (run_id, organisation_id, external_id)
    select id, organisation_id, unnest(${externalIds}::text[]) from sync_runs
    where organisation_id = ${organisationId} and integration_id = ${integrationId}
      and ended_at is null and comparing is not null
    on conflict do nothing`.execute(tx);
}

const missingOf = ({ organisationId, integrationId, runId }: OfRun) => sql`
  from leads where organisation_id = ${organisationId} and integration_id = ${integrationId} and not exists (
    select from sync_run_leads where run_id = ${runId} and sync_run_leads.external_id = leads.external_id)`;

/** `leads` counts the integration's leads, `missing` those that the comparison hasn't seen. */
export async function countMissing(tx: Tx, key: OfRun): Promise<{ leads: number; missing: number }> {
  const { rows } = await sql<{ leads: number; missing: number }>`
    select (select count(*)::int from leads
        where organisation_id = ${key.organisationId} and integration_id = ${key.integrationId}) as leads,
      (select count(*)::int ${missingOf(key)}) as missing`.execute(tx);
  return rows[0] ?? { leads: 0, missing: 0 };
}

export async function selectMissing(tx: Tx, key: OfRun, most: number): Promise<string[]> {
  const { rows } = await sql<{ external_id: string }>`select external_id ${missingOf(key)} limit ${most}`.execute(tx);
  return rows.map((row) => row.external_id);
}

export async function endComparison(tx: Tx, key: OfIntegration): Promise<void> {
  await deleteSeenLeads(tx, key);
  await tx
    .updateTable("integrations")
    .set({ compared_at: sql<string>`clock_timestamp()` })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .execute();
}

/**
 * Turns a running comparison into an incremental sync. Call it when the account, source or mapping changes: the leads
 * seen so far no longer apply.
 */
export async function stopComparing(tx: Tx, key: OfIntegration): Promise<void> {
  await deleteSeenLeads(tx, key);
  await tx
    .updateTable("sync_runs")
    .set({ comparing: null })
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .where("ended_at", "is", null)
    .execute();
}

const deleteSeenLeads = async (tx: Tx, { organisationId, integrationId }: OfIntegration): Promise<void> => {
  const runs = tx.selectFrom("sync_runs").select("id").where("integration_id", "=", integrationId);
  await tx
    .deleteFrom("sync_run_leads")
    .where("organisation_id", "=", organisationId)
    .where("run_id", "in", runs)
    .execute();
};
