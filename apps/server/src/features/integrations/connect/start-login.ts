import { createHash, randomBytes } from "node:crypto";
import type { Tx } from "../../../db/transaction.ts";
import type { Member } from "../../../http/route.ts";
import { countOutboundConnection } from "../../attempts/count-outbound-connection.ts";
import { ownerOf } from "../access/crm-access.ts";
import { insertLogin } from "../access/crm-grants.table.ts";
import { requireIntegration } from "../find-integration.ts";
import { type IntegrationDeps, noIntegration, requireCrm } from "../integration-deps.ts";
import { toCrmProblem } from "../to-crm-problem.ts";

export const hashOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** The state is the integration's id and 256 random bits, of which only the hash is stored. */
export async function startLogin(
  deps: IntegrationDeps,
  caller: Member,
  which: { service: string; integrationId: string; origin: string },
): Promise<{ url: string }> {
  const organisationId = caller.organisation.id;
  const { userId } = caller;
  const { integrationId, origin } = which;
  const key = { organisationId, integrationId };
  const scope = { userId, organisationId };
  const find = async (tx: Tx) => {
    const integration = await requireIntegration(tx, key);
    if (integration.service !== which.service) throw noIntegration();
    return integration;
  };
  await deps.database.withTransaction(scope, find);
  await countOutboundConnection(deps.database, userId);
  return deps.database.withTransaction(scope, async (tx) => {
    const integration = await find(tx);
    const { crm, workspace } = requireCrm(deps, integration);
    const state = `${integrationId}.${randomBytes(32).toString("base64url")}`;
    const codeVerifier = randomBytes(48).toString("base64url");
    const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
    const callbackUrl = new URL(`/integrations/${integration.service}/callback`, origin).href;
    try {
      const url = crm.authoriseUrl({ workspace, callbackUrl, state, codeChallenge });
      const sealedVerifier = deps.sealer.encrypt(codeVerifier, ownerOf(key));
      await insertLogin(tx, { stateHash: hashOf(state), ...key, userId, sealedVerifier, callbackUrl });
      return { url };
    } catch (error) {
      throw toCrmProblem(error);
    }
  });
}
