import { setTimeout as sleep } from "node:timers/promises";
import type { CrmGrant } from "@leadline/adapter-kit/crm";
import { readGrant } from "./crm-access.ts";
import { type IntegrationDeps, requireCrm } from "./integration-deps.ts";
import type { StoredIntegration } from "./integrations.table.ts";

/** A CRM that doesn't respond must not stop anyone from disconnecting it. */
const longestRevocationMs = 4_000;

/** Also revokes the grant in the CRM, if the CRM can be reached. */
export async function giveUpAccess(
  deps: IntegrationDeps,
  integration: StoredIntegration,
  /** Otherwise the stored one. */
  given?: CrmGrant,
): Promise<void> {
  const giveUp = new AbortController();
  const grant = given === undefined ? readGrant(deps, integration).then((read) => read.grant) : Promise.resolve(given);
  const revoking = grant.then((known) => {
    const { crm, workspace } = requireCrm(deps, integration);
    return crm.revoke(workspace, known);
  });
  const timeUp = sleep(longestRevocationMs, undefined, { signal: giveUp.signal }).then(() => {
    throw new Error("the CRM did not answer in time");
  });
  // If the time-out wins the race, nobody handles the rejection.
  revoking.catch(() => {});
  timeUp.catch(() => {});
  try {
    await Promise.race([revoking, timeUp]);
  } catch (error) {
    deps.log.warn({ err: error, integrationId: integration.id }, "the access to a CRM could not be revoked");
  } finally {
    giveUp.abort();
  }
}
