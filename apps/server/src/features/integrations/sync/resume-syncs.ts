import type { Jobs } from "../../../jobs/run-jobs.ts";
import type { IntegrationDeps } from "../integration-deps.ts";
import type { SyncLeadsJob } from "./sync-leads-job.ts";
import { selectIdleRuns } from "./sync-runs.table.ts";

/** Enqueues idle runs again. If a worker still has one, the cursor decides page by page who continues. */
export async function resumeSyncs(
  { database, log }: IntegrationDeps,
  options: { jobs: Pick<Jobs, "enqueue">; job: SyncLeadsJob; idleMs: number },
): Promise<void> {
  const { jobs, job, idleMs } = options;
  await database.withTransaction({ system: "syncs of killed processes" }, async (tx) => {
    for (const { id, organisationId } of await selectIdleRuns(tx, idleMs)) {
      log.info({ runId: id }, "a sync was resumed");
      await jobs.enqueue(tx, job, { runId: id, organisationId });
    }
  });
}
