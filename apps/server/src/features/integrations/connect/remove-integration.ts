import type { Member } from "../../../http/route.ts";
import { forgetCrmOwners } from "../../leads/owners/crm-owners.ts";
import { detachLeads } from "../../leads/sync/detach-leads.ts";
import { publishIntegrationChange } from "../find-integration.ts";
import { deleteIntegration } from "../integrations.table.ts";
import type { ReportDeps } from "../webhooks/subscribe-to-changes.ts";
import { endConnection } from "./end-connection.ts";

/** Revokes the access, then deletes the integration. A sync in progress stops at its next page. The leads stay. */
export const removeIntegration = (deps: ReportDeps, caller: Member, integrationId: string): Promise<void> =>
  endConnection(deps, { caller, integrationId }, async (tx, key) => {
    await detachLeads(tx, key);
    await forgetCrmOwners(tx, key);
    await deleteIntegration(tx, key);
    await publishIntegrationChange(tx, key);
  });
