import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** A lead that a comparison has read. */
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

/** What is read from now on is everything. */
export async function beginComparison(tx: Tx, key: OfIntegration): Promise<void> {
  await forgetRead(tx, key);
  await tx
    .updateTable("integrations")
    .set({ sync_cursor: null })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .execute();
}

export async function noteRead(
  tx: Tx,
  { runId, organisationId, externalIds }: Omit<OfRun, "integrationId"> & { externalIds: readonly string[] },
): Promise<void> {
  await sql`insert into sync_run_leads (run_id, organisation_id, external_id)
    select ${runId}, ${organisationId}, unnest(${externalIds}::text[]) on conflict do nothing`.execute(tx);
}

const missingOf = ({ organisationId, integrationId, runId }: OfRun) => sql`
  from leads where organisation_id = ${organisationId} and integration_id = ${integrationId} and not exists (
    select from sync_run_leads where run_id = ${runId} and sync_run_leads.external_id = leads.external_id)`;

/** How many leads the integration has, and how many of them the comparison has not read. */
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
  await forgetRead(tx, key);
  await tx
    .updateTable("integrations")
    .set({ compared_at: sql<string>`clock_timestamp()` })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .execute();
}

/** The run under way goes on as a usual one: what it has read says nothing about what it reads from now on. */
export async function stopComparing(tx: Tx, key: OfIntegration): Promise<void> {
  await forgetRead(tx, key);
  await tx
    .updateTable("sync_runs")
    .set({ comparing: null })
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .where("ended_at", "is", null)
    .execute();
}

const forgetRead = async (tx: Tx, { organisationId, integrationId }: OfIntegration): Promise<void> => {
  const runs = tx.selectFrom("sync_runs").select("id").where("integration_id", "=", integrationId);
  await tx
    .deleteFrom("sync_run_leads")
    .where("organisation_id", "=", organisationId)
    .where("run_id", "in", runs)
    .execute();
};
