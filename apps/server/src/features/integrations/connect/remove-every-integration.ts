import { giveUpAccess } from "../access/give-up-access.ts";
import { deleteIntegrations, deleteSomeRuns, selectConnected } from "../integrations.table.ts";
import { type ReportDeps, unsubscribeFromChanges } from "../webhooks/subscribe-to-changes.ts";

const runsASlice = 2_000;

/** For deleting an organisation: revokes its access at the CRMs, as far as possible, and deletes all tokens here. */
export async function removeEveryIntegration(deps: ReportDeps, organisationId: string): Promise<void> {
  const { database, log } = deps;
  const scope = { organisationId };
  const warn = (integration: { id: string }) => (error: unknown) =>
    log.warn({ err: error, integrationId: integration.id }, "a CRM is unavailable, so its access could not be revoked");
  const connected = await database.withTransaction(scope, (tx) => selectConnected(tx, organisationId));
  for (const integration of connected) {
    await unsubscribeFromChanges(deps, integration).catch(warn(integration));
    await giveUpAccess(deps, integration).catch(warn(integration));
  }
  while ((await database.withTransaction(scope, (tx) => deleteSomeRuns(tx, organisationId, runsASlice))) > 0);
  await database.withTransaction(scope, (tx) => deleteIntegrations(tx, organisationId));
}
