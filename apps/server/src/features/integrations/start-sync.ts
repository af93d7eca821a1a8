import { randomUUID } from "node:crypto";
import type { SyncRun } from "@leadline/contract/integrations";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import { requireIntegration } from "./find-integration.ts";
import type { IntegrationDeps } from "./integration-deps.ts";
import { publishSync } from "./publish-sync.ts";
import type { SyncLeadsJob } from "./sync-leads-job.ts";
import { insertOrFindLiveRun } from "./sync-runs.table.ts";

/** One run at a time: whoever asks while one is under way is shown that one. */
export async function startSync(
  deps: IntegrationDeps & { jobs: Pick<Jobs, "enqueue">; syncLeadsJob: SyncLeadsJob },
  caller: Member,
  integrationId: string,
): Promise<SyncRun> {
  const organisationId = caller.organisation.id;
  const key = { organisationId, integrationId };
  return deps.database.withTransaction({ userId: caller.userId, organisationId }, async (tx) => {
    const integration = await requireIntegration(tx, key);
    if (integration.status === "inactive")
      throw new Problem("integration-not-connected", "Connect this integration before you sync it.");
    if (integration.problem !== null) throw new Problem("integration-not-connected", integration.problem);
    if (integration.mapping === null && deps.crms.find(integration.service)?.crm.sources)
      throw new Problem("source-not-chosen", "Choose what leads come from before you sync this integration.");
    const { stored, isNew } = await insertOrFindLiveRun(tx, { id: randomUUID(), ...key });
    if (isNew) {
      await deps.jobs.enqueue(tx, deps.syncLeadsJob, { runId: stored.run.id, organisationId });
      await publishSync(tx, stored);
    }
    return stored.run;
  });
}
