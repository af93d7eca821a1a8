import { CrmError, type CrmGrant } from "@leadline/adapter-kit/crm";
import { z } from "zod";
import type { Tx } from "../../db/transaction.ts";
import { Unsealable } from "../../seal-secrets.ts";
import { findGrant, putGrant, type SealedGrant } from "./crm-grants.table.ts";
import { type IntegrationDeps, requireCrm } from "./integration-deps.ts";
import type { StoredIntegration } from "./integrations.table.ts";
import { ownerOf } from "./start-login.ts";

const StoredGrant = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  instanceUrl: z.string(),
  accountId: z.string().nullable(),
});

interface OpenGrant {
  grant: CrmGrant;
  generation: number;
}

const keyOf = ({ organisationId, id }: StoredIntegration) => ({ organisationId, integrationId: id });

export async function readGrant(deps: IntegrationDeps, integration: StoredIntegration): Promise<OpenGrant> {
  const key = keyOf(integration);
  const scope = { organisationId: integration.organisationId };
  const sealed = await deps.database.withTransaction(scope, (tx) => findGrant(tx, key, { lock: false }));
  return openGrant(deps, integration, sealed);
}

/** Works with the access as it is, and once more with a refreshed one where the CRM no longer takes it. */
export async function withCrmGrant<T>(
  deps: IntegrationDeps,
  integration: StoredIntegration,
  work: (grant: CrmGrant) => Promise<T>,
): Promise<T> {
  const { grant, generation } = await readGrant(deps, integration);
  try {
    return await work(grant);
  } catch (error) {
    if (!(error instanceof CrmError) || error.fault !== "access-refused") throw error;
  }
  return work(await refreshGrant(deps, integration, generation));
}

/**
 * One refresh at a time, across processes: two at once would look to the CRM like a stolen token, and end the access.
 * Whoever waited finds the newer generation and uses it. The new tokens are committed before anybody uses them.
 */
async function refreshGrant(deps: IntegrationDeps, integration: StoredIntegration, seen: number): Promise<CrmGrant> {
  const { crm, workspaceDomain } = requireCrm(deps, integration);
  const key = keyOf(integration);
  return deps.database.withTransaction({ organisationId: integration.organisationId }, async (tx: Tx) => {
    const current = openGrant(deps, integration, await findGrant(tx, key, { lock: true }));
    if (current.generation > seen) return current.grant;
    const fresh = await crm.refresh(workspaceDomain, current.grant);
    await putGrant(tx, key, deps.sealer.seal(JSON.stringify(fresh), ownerOf(key)));
    return fresh;
  });
}

function openGrant(deps: IntegrationDeps, integration: StoredIntegration, stored: SealedGrant | null): OpenGrant {
  if (stored === null) throw new CrmError("grant-refused", "Leadline has no access to this CRM.");
  try {
    const text = deps.sealer.open(stored.sealed, ownerOf(keyOf(integration)));
    return { grant: StoredGrant.parse(JSON.parse(text)), generation: stored.generation };
  } catch (error) {
    if (!(error instanceof Unsealable)) throw error;
    throw new CrmError("grant-refused", "Leadline’s own key has changed, so it cannot read the access it was given.", {
      cause: error,
    });
  }
}
