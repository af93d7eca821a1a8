import type { Integration, SyncRun } from "@leadline/contract/integrations";
import type { Member } from "../../http/route.ts";
import { requireIntegration } from "./find-integration.ts";
import type { IntegrationDeps } from "./integration-deps.ts";
import { selectIntegrations } from "./integrations.table.ts";
import { selectRuns } from "./sync-runs.table.ts";

const mostRuns = 20;

export async function listIntegrations({ database }: IntegrationDeps, caller: Member): Promise<Integration[]> {
  const { userId, organisation } = caller;
  const scope = { userId, organisationId: organisation.id };
  return database.withTransaction(scope, (tx) => selectIntegrations(tx, organisation.id));
}

/** Newest first. */
export async function listSyncRuns(
  { database }: IntegrationDeps,
  caller: Member,
  integrationId: string,
): Promise<SyncRun[]> {
  const { userId, organisation } = caller;
  const key = { organisationId: organisation.id, integrationId };
  return database.withTransaction({ userId, organisationId: organisation.id }, async (tx) => {
    await requireIntegration(tx, key);
    return selectRuns(tx, key, mostRuns);
  });
}
