import { z } from "zod";
import { defineJob } from "../../jobs/define-job.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import { deleteIdleRun, selectDueIntegrations } from "./due-integrations.table.ts";
import { findIntegration } from "./integrations.table.ts";
import type { IntegrationDeps } from "./integration-deps.ts";
import { startRun, whyNotSync } from "./start-sync.ts";
import type { SyncLeadsJob } from "./sync-leads-job.ts";

/** After one that failed: it tried for twenty minutes, or waits for a person. */
const afterFailureMs = 3_600_000;
const compareMs = 7 * 86_400_000;
const mostAtOnce = 200;

/**
 * Starts syncs whose time has come, once a week with everything compared. Integrations that nobody has synced yet wait for
 * the first one to be asked for. Of scheduled syncs in a row that changed nothing the list keeps the last.
 */
export async function scheduleSyncs(
  deps: IntegrationDeps,
  options: { jobs: Pick<Jobs, "enqueue">; job: SyncLeadsJob; everyMs: number; organisationId?: string },
): Promise<void> {
  const { jobs, job, everyMs, organisationId } = options;
  const due = await deps.database.withTransaction({ system: "syncs whose time has come" }, (tx) =>
    selectDueIntegrations(tx, { everyMs, afterFailureMs, compareMs, most: mostAtOnce, organisationId }),
  );
  for (const { comparesAll, ...key } of due)
    await deps.database.withTransaction({ organisationId: key.organisationId }, async (tx) => {
      const integration = await findIntegration(tx, key, { lock: true });
      if (integration === null || whyNotSync(deps, integration) !== null) return;
      await deleteIdleRun(tx, key);
      await startRun({ ...deps, jobs, syncLeadsJob: job }, tx, { ...key, scheduled: true, comparesAll });
    });
}

export const scheduleSyncsJob = (deps: IntegrationDeps, job: SyncLeadsJob, everyMs: number) =>
  defineJob({
    name: "schedule-syncs",
    schema: z.object({}),
    cron: "* * * * *",
    run: (_, jobs) => scheduleSyncs(deps, { jobs, job, everyMs }),
  });
