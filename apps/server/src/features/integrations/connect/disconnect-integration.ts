import type { Integration } from "@leadline/contract/integrations";
import type { Member } from "../../../http/route.ts";
import { deleteGrant } from "../access/crm-grants.table.ts";
import { announceIntegration } from "../find-integration.ts";
import { endRuns, markDisconnected } from "../integrations.table.ts";
import type { ReportDeps } from "../webhooks/subscribe-to-changes.ts";
import { endConnection } from "./end-connection.ts";

/**
 * Revokes the access. What was synced stays, as do the cursor, the mapping and the calls that wait to be logged, so that
 * connecting the same account again continues where it stopped.
 */
export const disconnectIntegration = (deps: ReportDeps, caller: Member, integrationId: string): Promise<Integration> =>
  endConnection(deps, { caller, integrationId }, async (tx, key) => {
    await markDisconnected(tx, key);
    await deleteGrant(tx, key);
    await endRuns(tx, key, "The integration was disconnected.");
    return announceIntegration(tx, key);
  });
