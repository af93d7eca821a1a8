import { setTimeout as sleep } from "node:timers/promises";
import type { CrmGrant } from "@leadline/adapter-kit/crm";
import { readGrant } from "./crm-access.ts";
import { type IntegrationDeps, requireCrm } from "../integration-deps.ts";
import type { StoredIntegration } from "../integrations.table.ts";

/** A CRM that doesn't respond must not stop anyone from disconnecting it. */
const longestMs = 4_000;

/** Also revokes the grant in the CRM, if the CRM can be reached. */
export function giveUpAccess(
  deps: IntegrationDeps,
  integration: StoredIntegration,
  /** Otherwise the stored one. */
  given?: CrmGrant,
): Promise<void> {
  return askInTime(deps, integration, {
    failed: "the access to a CRM could not be revoked",
    async work() {
      const grant = given ?? (await readGrant(deps, integration)).grant;
      const { crm, workspace } = requireCrm(deps, integration);
      await crm.revoke(workspace, grant);
    },
  });
}

/** A failure is only logged, and a CRM that doesn't respond is left behind. */
export async function askInTime(
  { log }: Pick<IntegrationDeps, "log">,
  { id }: StoredIntegration,
  { failed, work }: { failed: string; work: () => Promise<void> },
): Promise<void> {
  const over = new AbortController();
  const working = work();
  const timeUp = sleep(longestMs, undefined, { signal: over.signal }).then(() => {
    throw new Error("the CRM did not answer in time");
  });
  // If the time-out wins the race, nobody handles the rejection.
  working.catch(() => {});
  timeUp.catch(() => {});
  try {
    await Promise.race([working, timeUp]);
  } catch (error) {
    log.warn({ err: error, integrationId: id }, failed);
  } finally {
    over.abort();
  }
}
