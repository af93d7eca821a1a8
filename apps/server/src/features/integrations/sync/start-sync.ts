import { randomUUID } from "node:crypto";
import type { SyncRun } from "@leadline/contract/integrations";
import type { z } from "zod";
import type { Tx } from "../../../db/transaction.ts";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import type { Job } from "../../../jobs/define-job.ts";
import type { Jobs } from "../../../jobs/run-jobs.ts";
import { beginComparison } from "./comparisons.table.ts";
import { requireIntegration } from "../find-integration.ts";
import type { IntegrationDeps } from "../integration-deps.ts";
import type { StoredIntegration } from "../integrations.table.ts";
import { publishSync } from "./publish-sync.ts";
import type { SyncLeadsJob } from "./sync-leads-job.ts";
import { findRun, insertOrFindLiveRun } from "./sync-runs.table.ts";

export interface StartDeps extends IntegrationDeps {
  jobs: Pick<Jobs, "enqueue">;
  syncLeadsJob: SyncLeadsJob;
  webhookJobs: { subscribe: Job<z.ZodObject<{ organisationId: z.ZodUUID; integrationId: z.ZodUUID }>> };
}

/** One run at a time: a request during a run returns that run. */
export async function startSync(deps: StartDeps, caller: Member, integrationId: string): Promise<SyncRun> {
  const organisationId = caller.organisation.id;
  const key = { organisationId, integrationId };
  return deps.database.withTransaction({ userId: caller.userId, organisationId }, async (tx) => {
    const refused = whyNotSync(deps, await requireIntegration(tx, key));
    if (refused !== null) throw refused;
    return startRun(deps, tx, { ...key, scheduled: false, comparesAll: false });
  });
}

/** Starts a run that first reads the records again that this one left out. During a run, returns that. */
export async function retryRun(
  deps: StartDeps,
  caller: Member,
  { id: integrationId, runId }: { id: string; runId: string },
): Promise<SyncRun> {
  const organisationId = caller.organisation.id;
  const key = { organisationId, integrationId };
  return deps.database.withTransaction({ userId: caller.userId, organisationId }, async (tx) => {
    const refused = whyNotSync(deps, await requireIntegration(tx, key));
    if ((await findRun(tx, { ...key, runId })) === null) throw runNotFound();
    if (refused !== null) throw refused;
    return startRun(deps, tx, { ...key, scheduled: false, comparesAll: false, retriesRun: runId });
  });
}

export const runNotFound = (): Problem => new Problem("not-found", "This sync’s details are no longer kept.");

/** Starts a run, or returns the one that is already running. */
export async function startRun(
  deps: StartDeps,
  tx: Tx,
  run: {
    organisationId: string;
    integrationId: string;
    scheduled: boolean;
    comparesAll: boolean;
    retriesRun?: string;
  },
): Promise<SyncRun> {
  const { stored, isNew } = await insertOrFindLiveRun(tx, { id: randomUUID(), ...run });
  if (isNew) {
    if (run.comparesAll) await beginComparison(tx, run);
    await deps.jobs.enqueue(tx, deps.syncLeadsJob, { runId: stored.run.id, organisationId: run.organisationId });
    await publishSync(tx, stored);
    // Repeated from time to time, because people delete subscriptions in the CRM.
    const { organisationId, integrationId } = run;
    if (!run.scheduled || run.comparesAll)
      await deps.jobs.enqueue(tx, deps.webhookJobs.subscribe, { organisationId, integrationId });
  }
  return stored.run;
}

/** The problem that prevents a sync, or null. */
export function whyNotSync(
  { crms }: IntegrationDeps,
  { status, problem, mapping, service }: StoredIntegration,
): Problem | null {
  if (status === "inactive")
    return new Problem("integration-not-connected", "Connect this integration before you sync it.");
  if (problem !== null) return new Problem("integration-not-connected", problem);
  if (mapping === null && crms.find(service)?.crm.defaultMapping === null)
    return new Problem("source-not-chosen", "Choose a lead source before you sync this integration.");
  return null;
}
