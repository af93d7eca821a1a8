import type { Integration, SyncRun, SyncRunDetails } from "@leadline/contract/integrations";
import type { Member } from "../../http/route.ts";
import { requireIntegration } from "./find-integration.ts";
import type { IntegrationDeps } from "./integration-deps.ts";
import { selectIntegrations } from "./integrations.table.ts";
import { selectLeftOut } from "./sync/left-out-records.table.ts";
import { findRun, selectRuns } from "./sync/sync-runs.table.ts";
import { runNotFound } from "./sync/start-sync.ts";

const maxRuns = 20;

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
    return selectRuns(tx, key, maxRuns);
  });
}

export async function getSyncRun(
  { database }: IntegrationDeps,
  caller: Member,
  { id: integrationId, runId }: { id: string; runId: string },
): Promise<SyncRunDetails> {
  const { userId, organisation } = caller;
  const key = { organisationId: organisation.id, integrationId };
  return database.withTransaction({ userId, organisationId: organisation.id }, async (tx) => {
    const { id, label, service } = await requireIntegration(tx, key);
    const run = await findRun(tx, { ...key, runId });
    if (run === null) throw runNotFound();
    return { ...run, integration: { id, label, service }, leftOut: await selectLeftOut(tx, { ...key, runId }) };
  });
}
