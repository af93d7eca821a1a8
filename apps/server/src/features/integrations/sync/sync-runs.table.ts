import type { SyncRun } from "@leadline/contract/integrations";
import { type Generated, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

export interface SyncRunTable {
  id: string;
  organisation_id: string;
  integration_id: string;
  status: Generated<SyncRun["status"]>;
  /** Started by the schedule, not by a person. */
  scheduled: Generated<boolean>;
  /**
   * The phase of a full comparison, which reads every lead and then removes the missing ones. Kept after the end. Null
   * for an incremental sync.
   */
  comparing: "reading" | "removing" | null;
  /** The run whose listed records it reads first. */
  retries_run: string | null;
  total: number | null;
  read_count: Generated<number>;
  created_count: Generated<number>;
  updated_count: Generated<number>;
  deleted_count: Generated<number>;
  /** Deleted in the CRM, and kept here because the team has worked with them. */
  kept_count: Generated<number>;
  failed_count: Generated<number>;
  problem: string | null;
  /** How many pages are stored, so that of two workers with the same page the second one notices. */
  pages: Generated<number>;
  /** Failed attempts since the last page. */
  failures: Generated<number>;
  retry_at: string | null;
  created_at: Generated<string>;
  /** When a worker last claimed it. */
  touched_at: Generated<string>;
  ended_at: string | null;
}

const columns = [
  "id",
  "integration_id",
  "organisation_id",
  "status",
  "scheduled",
  "comparing",
  "total",
  "read_count",
  "created_count",
  "updated_count",
  "deleted_count",
  "kept_count",
  "failed_count",
  "problem",
  "pages",
  "failures",
  "retry_at",
  "created_at",
  "ended_at",
] as const;

interface Row {
  id: string;
  integration_id: string;
  organisation_id: string;
  status: SyncRun["status"];
  scheduled: boolean;
  comparing: SyncRunTable["comparing"];
  total: number | null;
  read_count: number;
  created_count: number;
  updated_count: number;
  deleted_count: number;
  kept_count: number;
  failed_count: number;
  problem: string | null;
  pages: number;
  failures: number;
  retry_at: string | null;
  created_at: string;
  ended_at: string | null;
}

/** A run's fields that its worker needs. */
export interface StoredRun {
  run: SyncRun;
  integrationId: string;
  organisationId: string;
  pages: number;
  failures: number;
  comparing: SyncRunTable["comparing"];
}

function toSyncRun(row: Row): SyncRun {
  return {
    id: row.id,
    status: row.status,
    scheduled: row.scheduled,
    comparesAll: row.comparing !== null,
    total: row.total,
    read: row.read_count,
    created: row.created_count,
    updated: row.updated_count,
    deleted: row.deleted_count,
    kept: row.kept_count,
    failed: row.failed_count,
    problem: row.problem,
    retryAt: row.retry_at,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}

const toStoredRun = (row: Row): StoredRun => ({
  run: toSyncRun(row),
  integrationId: row.integration_id,
  organisationId: row.organisation_id,
  pages: row.pages,
  failures: row.failures,
  comparing: row.comparing,
});

const now = sql<string>`clock_timestamp()`;

/** Returns the live run if there is one: an integration has one at a time. */
export async function insertOrFindLiveRun(
  tx: Tx,
  run: Pick<SyncRun, "id" | "scheduled" | "comparesAll"> &
    Record<"organisationId" | "integrationId", string> & {
      retriesRun?: string | null;
    },
): Promise<{ stored: StoredRun; isNew: boolean }> {
  const inserted = await tx
    .insertInto("sync_runs")
    .values({
      id: run.id,
      organisation_id: run.organisationId,
      integration_id: run.integrationId,
      scheduled: run.scheduled,
      comparing: run.comparesAll ? "reading" : null,
      retries_run: run.retriesRun ?? null,
    })
    .onConflict((conflict) => conflict.column("integration_id").where("ended_at", "is", null).doNothing())
    .returning(columns)
    .executeTakeFirst();
  if (inserted) return { stored: toStoredRun(inserted), isNew: true };
  const live = await tx
    .selectFrom("sync_runs")
    .select(columns)
    .where("integration_id", "=", run.integrationId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  // It ended between the two statements, so the second attempt starts a new one.
  return live ? { stored: toStoredRun(live), isNew: false } : insertOrFindLiveRun(tx, run);
}

export async function selectRuns(
  tx: Tx,
  key: { organisationId: string; integrationId: string },
  limit: number,
): Promise<SyncRun[]> {
  const rows = await tx
    .selectFrom("sync_runs")
    .select(columns)
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(toSyncRun);
}

export async function findRun(
  tx: Tx,
  key: { organisationId: string; integrationId: string; runId: string },
): Promise<SyncRun | null> {
  const row = await tx
    .selectFrom("sync_runs")
    .select(columns)
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .where("id", "=", key.runId)
    .executeTakeFirst();
  return row ? toSyncRun(row) : null;
}

export async function newestRunOfEach(tx: Tx, organisationId: string): Promise<Map<string, SyncRun>> {
  const rows = await tx
    .selectFrom("sync_runs")
    .select(columns)
    .distinctOn("integration_id")
    .where("organisation_id", "=", organisationId)
    .orderBy("integration_id")
    .orderBy("created_at", "desc")
    .execute();
  return new Map(rows.map((row) => [row.integration_id, toSyncRun(row)]));
}

/** Attributes this transaction's further changes to the run in the leads' history. */
export async function changeAsRun(tx: Tx, runId: string): Promise<void> {
  await sql`select set_config('app.sync_run_id', ${runId}, true)`.execute(tx);
}

export interface PageCounts {
  total: number | null;
  read: number;
  created: number;
  updated: number;
  deleted: number;
  kept: number;
  failed: number;
}

/** Locks the run and counts a page. Null if another worker has counted this page, or the run has ended or is gone. */
export async function addPage(
  tx: Tx,
  which: { id: string; pages: number },
  page: PageCounts & { done: boolean; startsRemoving?: boolean },
): Promise<StoredRun | null> {
  const row = await tx
    .updateTable("sync_runs")
    .set((given) => ({
      status: page.done ? ("completed" as const) : ("running" as const),
      total: page.total,
      read_count: given("read_count", "+", page.read),
      created_count: given("created_count", "+", page.created),
      updated_count: given("updated_count", "+", page.updated),
      deleted_count: given("deleted_count", "+", page.deleted),
      kept_count: given("kept_count", "+", page.kept),
      failed_count: given("failed_count", "+", page.failed),
      pages: given("pages", "+", 1),
      failures: 0,
      problem: null,
      retry_at: null,
      touched_at: now,
      ended_at: page.done ? now : null,
      ...(page.startsRemoving && { comparing: "removing" as const }),
    }))
    .where("id", "=", which.id)
    .where("pages", "=", which.pages)
    .where("ended_at", "is", null)
    .returning(columns)
    .executeTakeFirst();
  return row ? toStoredRun(row) : null;
}

/** Claims the run for a worker. */
export async function touchRun(tx: Tx, id: string): Promise<StoredRun | null> {
  const row = await tx
    .updateTable("sync_runs")
    .set({ status: "running", touched_at: now })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .returning(columns)
    .executeTakeFirst();
  return row ? toStoredRun(row) : null;
}

/** Makes the run wait, with the reason. Null if another worker has continued it meanwhile. */
export async function postponeRun(
  tx: Tx,
  which: { id: string; pages: number },
  wait: { problem: string; afterMs: number; isFailure: boolean },
): Promise<StoredRun | null> {
  const row = await tx
    .updateTable("sync_runs")
    .set((given) => ({
      problem: wait.problem,
      failures: given("failures", "+", wait.isFailure ? 1 : 0),
      retry_at: sql<string>`clock_timestamp() + ${wait.afterMs} * interval '1 millisecond'`,
      touched_at: now,
    }))
    .where("id", "=", which.id)
    .where("pages", "=", which.pages)
    .where("ended_at", "is", null)
    .returning(columns)
    .executeTakeFirst();
  return row ? toStoredRun(row) : null;
}

export async function failRun(tx: Tx, id: string, problem: string): Promise<StoredRun | null> {
  const row = await tx
    .updateTable("sync_runs")
    .set({ status: "failed", problem, retry_at: null, touched_at: now, ended_at: now })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .returning(columns)
    .executeTakeFirst();
  return row ? toStoredRun(row) : null;
}

/** Live runs of all organisations that no worker has touched for that long, and that aren't postponed. */
export async function selectIdleRuns(tx: Tx, idleMs: number): Promise<{ id: string; organisationId: string }[]> {
  const rows = await tx
    .selectFrom("sync_runs")
    .select(["id", "organisation_id"])
    .where("ended_at", "is", null)
    .where(sql<boolean>`greatest(touched_at, retry_at) < clock_timestamp() - ${idleMs} * interval '1 millisecond'`)
    .execute();
  return rows.map((row) => ({ id: row.id, organisationId: row.organisation_id }));
}
