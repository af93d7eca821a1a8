import { z } from "zod";
import { backOffMs } from "../../back-off-ms.ts";
import { countInProgress } from "../../count-in-progress.ts";
import { isConnectionError } from "../../db/database-unreachable.ts";
import type { Database } from "../../db/database.ts";
import { defineJob, type Job } from "../../jobs/define-job.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import type { Log } from "../../log.ts";
import type { FileStore } from "../files/file-store.ts";
import { findLeadImport, type LeadImportKey, markFinished } from "./lead-imports.table.ts";
import { postponeImport, selectIdleImports } from "./running-imports.table.ts";
import { runLeadImport } from "./run-lead-import.ts";

const Data = z.object({ id: z.uuid(), organisationId: z.uuid() });
export type ImportLeadsJob = Job<typeof Data>;

interface ImportDeps {
  database: Database;
  store: FileStore;
  log: Log;
}

/** Much shorter than the queue's time-out, so that other jobs get their turn. */
const sliceMs = 10_000;
/** After this many consecutive failures, about twenty minutes, an import is given up. */
const maxFailures = 10;
const retrying = { firstMs: 2_000, longestMs: 300_000 };

/** Of one organisation at once in this process, so that its imports leave half of the turns to others. */
const maxSlices = 2;
const tryAgain = { afterMs: 2_000 };

export function importLeadsJob(deps: ImportDeps, name = "import-leads"): ImportLeadsJob {
  const slices = countInProgress(maxSlices);
  const job: ImportLeadsJob = defineJob({
    name,
    schema: Data,
    atOnce: 4,
    async run(key, jobs) {
      const end = slices.begin(key.organisationId);
      const next = end === null ? tryAgain : await importSlice(deps, key).finally(end);
      if (next === null) return;
      const scope = { organisationId: key.organisationId };
      await deps.database.withTransaction(scope, (tx) => jobs.enqueue(tx, job, key, next));
    },
  });
  return job;
}

/** Returns when to continue, or null if it has ended or another worker has it. */
export async function importSlice(deps: ImportDeps, key: LeadImportKey): Promise<{ afterMs: number } | null> {
  try {
    return (await runLeadImport(deps, { ...key, sliceMs })) ? { afterMs: 0 } : null;
  } catch (error) {
    // The failure can't be stored either. The queue retries, and finally the job that looks for idle imports.
    if (isConnectionError(error)) throw error;
    deps.log.error({ err: error, importId: key.id }, "an import failed unexpectedly");
    return afterFailure(deps, key);
  }
}

async function afterFailure({ database }: ImportDeps, key: LeadImportKey): Promise<{ afterMs: number } | null> {
  return database.withTransaction({ organisationId: key.organisationId }, async (tx) => {
    const failing = await findLeadImport(tx, key);
    if (failing === null) return null;
    if (failing.failures + 1 < maxFailures) {
      const afterMs = backOffMs(failing.failures, retrying);
      return (await postponeImport(tx, key, afterMs)) ? { afterMs } : null;
    }
    // The first row, which names the columns, is row 1.
    const lastRow = (failing.rows_read + 1).toLocaleString("en");
    const problem = `The import failed after row ${lastRow} because of an error on our side. Rows up to there are imported. Upload the remaining rows again, or ask the administrator to check the log.`;
    await markFinished(tx, key, problem);
    return null;
  });
}

/** Enqueues idle imports again. If a worker still has one, the checkpoint decides step by step who continues. */
export async function resumeLeadImports(
  { database }: { database: Database },
  options: { jobs: Pick<Jobs, "enqueue">; job: ImportLeadsJob; idleMs: number },
): Promise<void> {
  const { jobs, job, idleMs } = options;
  await database.withTransaction({ system: "imports to resume" }, async (tx) => {
    for (const key of await selectIdleImports(tx, idleMs)) await jobs.enqueue(tx, job, key);
  });
}

export const resumeLeadImportsJob = (deps: { database: Database }, job: ImportLeadsJob) =>
  defineJob({
    name: "resume-lead-imports",
    schema: z.object({}),
    cron: "* * * * *",
    run: (_, jobs) => resumeLeadImports(deps, { jobs, job, idleMs: 60_000 }),
  });
