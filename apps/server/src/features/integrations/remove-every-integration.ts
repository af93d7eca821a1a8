import { giveUpAccess } from "./give-up-access.ts";
import type { IntegrationDeps } from "./integration-deps.ts";
import { deleteIntegrations, deleteSomeRuns, selectConnected } from "./integrations.table.ts";

const runsASlice = 2_000;

/** For deleting an organisation: revokes its access at the CRMs, as far as possible, and deletes all tokens here. */
export async function removeEveryIntegration(deps: IntegrationDeps, organisationId: string): Promise<void> {
  const { database, log } = deps;
  const scope = { organisationId };
  const connected = await database.withTransaction(scope, (tx) => selectConnected(tx, organisationId));
  for (const integration of connected)
    await giveUpAccess(deps, integration).catch((error: unknown) =>
      log.warn(
        { err: error, integrationId: integration.id },
        "a CRM is unavailable, so its access could not be revoked",
      ),
    );
  while ((await database.withTransaction(scope, (tx) => deleteSomeRuns(tx, organisationId, runsASlice))) > 0);
  await database.withTransaction(scope, (tx) => deleteIntegrations(tx, organisationId));
}
