import type { Integration } from "@leadline/contract/integrations";
import { Id } from "@leadline/contract/identifiers";
import type { Tx } from "../../../db/transaction.ts";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { detachLeads } from "../../leads/sync/detach-leads.ts";
import { accountOf, refuseSecondConnection } from "../account-of.ts";
import { stopComparing } from "../sync/comparisons.table.ts";
import { ownerOf } from "../access/crm-access.ts";
import { forgetLogin, isUsedLogin, putGrant, takeLogin } from "../access/crm-grants.table.ts";
import { announceIntegration, requireIntegration } from "../find-integration.ts";
import { giveUpAccess } from "../access/give-up-access.ts";
import { type IntegrationDeps, requireCrm } from "../integration-deps.ts";
import { hasOtherAccount, markConnected, selectIntegrations } from "../integrations.table.ts";
import { endPauses } from "../sync/request-pauses.table.ts";
import { hashOf } from "./start-login.ts";
import { toCrmProblem } from "../to-crm-problem.ts";
import type { Jobs } from "../../../jobs/run-jobs.ts";
import type { WebhookJobs } from "../webhooks/webhook-jobs.ts";

export interface LoginDeps extends IntegrationDeps {
  jobs: Pick<Jobs, "enqueue">;
  webhookJobs: Pick<WebhookJobs, "apply">;
}

/**
 * A state works once, within ten minutes, for the person who started, in the organisation they started in. The same
 * response from the same person again, after a reload, does nothing and returns what it connected.
 */
export async function finishLogin(
  deps: LoginDeps,
  caller: Member,
  given: { service: string; code: string; state: string },
): Promise<Integration> {
  const { userId, organisation } = caller;
  const scope = { userId, organisationId: organisation.id };
  const integrationId = Id.safeParse(given.state.split(".", 1)[0]).data;
  if (integrationId === undefined) throw refusedLogin();
  const key = { organisationId: organisation.id, integrationId };
  const returned = { ...key, userId, stateHash: hashOf(given.state), codeHash: hashOf(given.code) };
  // In its own transaction, so that the state is used up whatever follows.
  const login = await deps.database.withTransaction(scope, (tx) => takeLogin(tx, returned));
  if (login === null) {
    const connected = await deps.database.withTransaction(scope, (tx) => findConnectedBy(tx, returned));
    if (connected !== null) return connected;
    deps.log.warn({ security: "oauth-state-refused", ...scope, integrationId }, "a CRM login that wasn't started here");
    throw refusedLogin();
  }
  return connect(deps, scope, { ...key, ...login, code: given.code, service: given.service }).catch(
    async (error: unknown) => {
      await deps.database
        .withTransaction(scope, (tx) => forgetLogin(tx, returned))
        .catch((cause: unknown) => deps.log.warn({ err: cause, ...key }, "a failed CRM login could not be deleted"));
      throw error;
    },
  );
}

interface Returned {
  organisationId: string;
  integrationId: string;
  sealedVerifier: string;
  callbackUrl: string;
  code: string;
  /** The CRM whose callback received the code. */
  service: string;
}

async function connect(
  deps: LoginDeps,
  scope: { userId: string; organisationId: string },
  { sealedVerifier, callbackUrl, code, service, ...key }: Returned,
): Promise<Integration> {
  const integration = await deps.database.withTransaction(scope, (tx) => requireIntegration(tx, key));
  // Never send one CRM's code to another (RFC 9700, section 4.4).
  if (integration.service !== service) throw refusedLogin();
  const { crm, workspace } = requireCrm(deps, integration);
  const codeVerifier = deps.sealer.open(sealedVerifier, ownerOf(key));
  const grant = await crm.exchangeCode({ workspace, callbackUrl, code, codeVerifier }).catch((error: unknown) => {
    deps.log.warn({ err: error, ...key }, "a CRM refused access");
    throw toCrmProblem(error);
  });
  return deps.database
    .withTransaction(scope, async (tx) => {
      const { mapping } = await requireIntegration(tx, key, { lock: true });
      const accountId = accountOf(deps, integration, grant);
      if (await hasOtherAccount(tx, key, accountId)) await detachLeads(tx, key);
      await stopComparing(tx, key);
      await refuseSecondConnection(deps, tx, integration, { accountId, source: mapping?.source ?? null });
      await markConnected(tx, key, accountId);
      await endPauses(tx, key);
      // What the CRM reported while it wasn't connected.
      await deps.jobs.enqueue(tx, deps.webhookJobs.apply, key);
      await putGrant(tx, key, deps.sealer.encrypt(JSON.stringify(grant), ownerOf(key)));
      return announceIntegration(tx, key);
    })
    .catch(async (error: unknown) => {
      if (error instanceof Problem && error.code === "already-connected") await giveUpAccess(deps, integration, grant);
      throw error;
    });
}

async function findConnectedBy(tx: Tx, returned: Parameters<typeof isUsedLogin>[1]): Promise<Integration | null> {
  if (!(await isUsedLogin(tx, returned))) return null;
  const [integration] = await selectIntegrations(tx, returned.organisationId, returned.integrationId);
  return integration?.status === "active" ? integration : null;
}

const refusedLogin = (): Problem =>
  new Problem("authorisation-refused", "This login has expired or was already used. Select Connect to start again.");
