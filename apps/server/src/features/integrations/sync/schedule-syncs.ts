import { z } from "zod";
import { defineJob } from "../../../jobs/define-job.ts";
import { deleteIdleRun, selectDueIntegrations } from "./due-integrations.table.ts";
import { findIntegration } from "../integrations.table.ts";
import { type StartDeps, startRun, whyNotSync } from "./start-sync.ts";

/** A failed run has already retried for twenty minutes, or needs a person. */
const afterFailureMs = 3_600_000;
const compareMs = 7 * 86_400_000;
const maxAtOnce = 200;

/**
 * Starts the syncs that are due; once a week a sync compares all leads. A person starts the first sync of an integration.
 * Keeps only the latest of consecutive scheduled runs that changed nothing.
 */
export async function scheduleSyncs(
  deps: StartDeps,
  options: { everyMs: number; organisationId?: string },
): Promise<void> {
  const { everyMs, organisationId } = options;
  const due = await deps.database.withTransaction({ system: "find syncs that are due" }, (tx) =>
    selectDueIntegrations(tx, { everyMs, afterFailureMs, compareMs, most: maxAtOnce, organisationId }),
  );
  for (const { comparesAll, ...key } of due)
    await deps.database.withTransaction({ organisationId: key.organisationId }, async (tx) => {
      const integration = await findIntegration(tx, key, { lock: true });
      if (integration === null || whyNotSync(deps, integration) !== null) return;
      await deleteIdleRun(tx, key);
      await startRun(deps, tx, { ...key, scheduled: true, comparesAll });
    });
}

export const scheduleSyncsJob = (deps: Omit<StartDeps, "jobs">, everyMs: number) =>
  defineJob({
    name: "schedule-syncs",
    schema: z.object({}),
    cron: "* * * * *",
    run: (_, jobs) => scheduleSyncs({ ...deps, jobs }, { everyMs }),
  });
