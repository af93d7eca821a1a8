import type { CrmLeftOut } from "@leadline/adapter-kit/crm";
import { maxListedLeftOut, type SyncRunDetails } from "@leadline/contract/integrations";
import type { Tx } from "../../../db/transaction.ts";

export interface LeftOutTable {
  run_id: string;
  organisation_id: string;
  external_id: string;
  why: string;
  url: string | null;
}

/** The first few of a run; `before` is how many the run has left out so far. */
export async function insertLeftOut(
  tx: Tx,
  run: { runId: string; organisationId: string; before: number },
  records: readonly CrmLeftOut[],
): Promise<void> {
  const first = records.slice(0, Math.max(0, maxListedLeftOut - run.before));
  if (first.length === 0) return;
  await tx
    .insertInto("sync_run_left_out")
    .values(
      first.map(({ externalId, why, url }) => ({
        run_id: run.runId,
        organisation_id: run.organisationId,
        external_id: externalId,
        why,
        url,
      })),
    )
    // The record changed while the run was reading.
    .onConflict((conflict) => conflict.columns(["run_id", "external_id"]).doNothing())
    .execute();
}

/** Of the run that this run retries: a part of its listed records' ids, empty after the last one. */
export async function selectIdsToRetry(
  tx: Tx,
  key: { organisationId: string; runId: string },
  part: { limit: number; offset: number },
): Promise<string[]> {
  const rows = await tx
    .selectFrom("sync_run_left_out as left_out")
    .innerJoin("sync_runs", "sync_runs.retries_run", "left_out.run_id")
    .select("left_out.external_id as externalId")
    .where("left_out.organisation_id", "=", key.organisationId)
    .where("sync_runs.organisation_id", "=", key.organisationId)
    .where("sync_runs.id", "=", key.runId)
    .orderBy("left_out.external_id")
    .limit(part.limit)
    .offset(part.offset)
    .execute();
  return rows.map(({ externalId }) => externalId);
}

export function selectLeftOut(
  tx: Tx,
  key: { organisationId: string; runId: string },
): Promise<SyncRunDetails["leftOut"]> {
  return tx
    .selectFrom("sync_run_left_out")
    .select(["external_id as externalId", "why as message", "url"])
    .where("organisation_id", "=", key.organisationId)
    .where("run_id", "=", key.runId)
    .orderBy("external_id")
    .execute();
}
