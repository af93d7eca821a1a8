import type { Member } from "../../../http/route.ts";
import { forgetCrmOwners } from "../../leads/owners/crm-owners.ts";
import { detachLeads } from "../../leads/sync/detach-leads.ts";
import { publishIntegrationChange, requireIntegration } from "../find-integration.ts";
import { giveUpAccess } from "../access/give-up-access.ts";
import { deleteIntegration } from "../integrations.table.ts";
import { type ReportDeps, unsubscribeFromChanges } from "../webhooks/subscribe-to-changes.ts";

/** Revokes the access, then deletes the integration. A sync in progress stops at its next page. The leads stay. */
export async function removeIntegration(deps: ReportDeps, caller: Member, integrationId: string): Promise<void> {
  const organisationId = caller.organisation.id;
  const key = { organisationId, integrationId };
  const scope = { userId: caller.userId, organisationId };
  const integration = await deps.database.withTransaction(scope, (tx) => requireIntegration(tx, key));
  if (integration.status === "active") {
    await unsubscribeFromChanges(deps, integration);
    await giveUpAccess(deps, integration);
  }
  await deps.database.withTransaction(scope, async (tx) => {
    await requireIntegration(tx, key, { lock: true });
    await detachLeads(tx, key);
    await forgetCrmOwners(tx, key);
    await deleteIntegration(tx, key);
    await publishIntegrationChange(tx, key);
  });
}
