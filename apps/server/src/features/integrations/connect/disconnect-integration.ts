import type { Integration } from "@leadline/contract/integrations";
import type { Member } from "../../../http/route.ts";
import { deleteGrant } from "../access/crm-grants.table.ts";
import { announceIntegration, requireIntegration } from "../find-integration.ts";
import { giveUpAccess } from "../access/give-up-access.ts";
import { endRuns, markDisconnected } from "../integrations.table.ts";
import { type ReportDeps, unsubscribeFromChanges } from "../webhooks/subscribe-to-changes.ts";

/**
 * Revokes the access. What was synced stays, as do the cursor, the mapping and the calls that wait to be logged, so that
 * connecting the same account again continues where it stopped.
 */
export async function disconnectIntegration(
  deps: ReportDeps,
  caller: Member,
  integrationId: string,
): Promise<Integration> {
  const organisationId = caller.organisation.id;
  const key = { organisationId, integrationId };
  const scope = { userId: caller.userId, organisationId };
  const integration = await deps.database.withTransaction(scope, (tx) => requireIntegration(tx, key));
  if (integration.status === "active") {
    await unsubscribeFromChanges(deps, integration);
    await giveUpAccess(deps, integration);
  }
  return deps.database.withTransaction(scope, async (tx) => {
    await requireIntegration(tx, key, { lock: true });
    await markDisconnected(tx, key);
    await deleteGrant(tx, key);
    await endRuns(tx, key, "The integration was disconnected.");
    return announceIntegration(tx, key);
  });
}
