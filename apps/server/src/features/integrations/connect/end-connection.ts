import type { Tx } from "../../../db/transaction.ts";
import type { Member } from "../../../http/route.ts";
import { giveUpAccess } from "../access/give-up-access.ts";
import { requireIntegration } from "../find-integration.ts";
import type { OfIntegration } from "../webhooks/crm-changes.table.ts";
import { type ReportDeps, unsubscribeFromChanges } from "../webhooks/subscribe-to-changes.ts";

/** Has the CRM end its reports and the access, as far as it responds, then makes the change with the integration locked. */
export async function endConnection<Changed>(
  deps: ReportDeps,
  { caller, integrationId }: { caller: Member; integrationId: string },
  change: (tx: Tx, key: OfIntegration) => Promise<Changed>,
): Promise<Changed> {
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
    return change(tx, key);
  });
}
