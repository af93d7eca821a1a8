import { setTimeout as sleep } from "node:timers/promises";
import type { Member } from "../../http/route.ts";
import { detachLeads } from "../leads/detach-leads.ts";
import { readGrant } from "./crm-access.ts";
import { publishIntegrationChange, requireIntegration } from "./find-integration.ts";
import { type IntegrationDeps, requireCrm } from "./integration-deps.ts";
import { deleteIntegration, type StoredIntegration } from "./integrations.table.ts";

/** A CRM that does not answer must not keep somebody from leaving it. */
const longestRevocationMs = 4_000;

/** Gives the access up, then forgets it. A sync under way stops at its next page; the leads stay. */
export async function removeIntegration(deps: IntegrationDeps, caller: Member, integrationId: string): Promise<void> {
  const organisationId = caller.organisation.id;
  const key = { organisationId, integrationId };
  const scope = { userId: caller.userId, organisationId };
  const integration = await deps.database.withTransaction(scope, (tx) => requireIntegration(tx, key));
  if (integration.status === "active") await revoke(deps, integration);
  await deps.database.withTransaction(scope, async (tx) => {
    await requireIntegration(tx, key, { lock: true });
    await detachLeads(tx, key);
    await deleteIntegration(tx, key);
    await publishIntegrationChange(tx, key);
  });
}

async function revoke(deps: IntegrationDeps, integration: StoredIntegration): Promise<void> {
  const { crm, workspaceDomain } = requireCrm(deps, integration);
  const giveUp = new AbortController();
  const revoking = readGrant(deps, integration).then(({ grant }) => crm.revoke(workspaceDomain, grant));
  const timeUp = sleep(longestRevocationMs, undefined, { signal: giveUp.signal }).then(() => {
    throw new Error("the CRM did not answer in time");
  });
  // Whichever comes second has nobody left to hear it.
  revoking.catch(() => {});
  timeUp.catch(() => {});
  try {
    await Promise.race([revoking, timeUp]);
  } catch (error) {
    deps.log.warn({ err: error, integrationId: integration.id }, "the access to a CRM could not be given up there");
  } finally {
    giveUp.abort();
  }
}
