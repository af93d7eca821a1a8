import { z } from "zod";
import { defineJob, type Job } from "../../../jobs/define-job.ts";
import type { IntegrationDeps } from "../integration-deps.ts";
import { resumeSyncs } from "./resume-syncs.ts";
import { syncLeads } from "./sync-leads.ts";

const Data = z.object({ runId: z.uuid(), organisationId: z.uuid() });
export type SyncLeadsJob = Job<typeof Data>;

/** Much shorter than the queue's time-out, so that a long sync is many short jobs. */
const sliceMs = 30_000;

export function syncLeadsJob(deps: IntegrationDeps, { queueSuffix = "" }: { queueSuffix?: string }): SyncLeadsJob {
  const job: SyncLeadsJob = defineJob({
    name: `sync-leads${queueSuffix}`,
    schema: Data,
    atOnce: 4,
    async run(data, jobs) {
      const outcome = await syncLeads(deps, { ...data, sliceMs });
      if (outcome.is === "ended") return;
      const later = outcome.is === "postponed" ? { afterMs: outcome.afterMs } : {};
      const scope = { organisationId: data.organisationId };
      await deps.database.withTransaction(scope, (tx) => jobs.enqueue(tx, job, data, later));
    },
  });
  return job;
}

/** Resumes runs that no worker has touched for a minute, because their worker was killed. */
export const resumeSyncsJob = (deps: IntegrationDeps, job: SyncLeadsJob) =>
  defineJob({
    name: "resume-syncs",
    schema: z.object({}),
    cron: "* * * * *",
    run: (_, jobs) => resumeSyncs(deps, { jobs, job, idleMs: 60_000 }),
  });
