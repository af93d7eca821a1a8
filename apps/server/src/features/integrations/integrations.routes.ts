import * as crmWebhooks from "@leadline/contract/crm-webhooks";
import * as disconnect from "@leadline/contract/disconnect-integration";
import * as contract from "@leadline/contract/integrations";
import { retrySyncRun } from "@leadline/contract/retry-sync-run";
import * as writtenCalls from "@leadline/contract/written-calls";
import * as writtenLeads from "@leadline/contract/written-leads";
import type { FastifyRequest } from "fastify";
import { type Route, route } from "../../http/route.ts";
import { countUnwritten } from "./count-unwritten.ts";
import { createIntegration } from "./create-integration.ts";
import { finishLogin } from "./connect/finish-login.ts";
import { getSyncRun, listIntegrations, listSyncRuns } from "./list-integrations.ts";
import { disconnectIntegration } from "./connect/disconnect-integration.ts";
import { describeCrms } from "./describe-crms.ts";
import { removeIntegration } from "./connect/remove-integration.ts";
import { describeSource, listSources } from "./mapping/list-sources.ts";
import type { PublishCall } from "./outbox/write-due.ts";
import { renameIntegration } from "./rename-integration.ts";
import { saveMapping } from "./mapping/save-mapping.ts";
import { startLogin } from "./connect/start-login.ts";
import { retryRun, type StartDeps, startSync } from "./sync/start-sync.ts";
import { receiveWebhook } from "./webhooks/receive-webhook.ts";
import type { WebhookJobs } from "./webhooks/webhook-jobs.ts";
import type { WebhookKeys } from "./webhooks/webhook-keys.ts";
import { chooseLeadOfCall, retryWritingCall } from "./call-logging/choose-call-lead.ts";
import { createInCrm, getLeadWriting, retryWritingLead } from "./lead-write-back/create-in-crm.ts";
import { setSendsChanges } from "./lead-write-back/send-changes.ts";

export interface IntegrationRoutesDeps extends StartDeps {
  webhookJobs: WebhookJobs;
  webhookKeys: WebhookKeys;
  publicUrl: URL | null;
  publishCall: PublishCall;
}

export function integrationRoutes(deps: IntegrationRoutesDeps): Route[] {
  /**
   * The origin in the caller's browser, unless the operator has configured one. A forged Host header only misleads its
   * sender.
   */
  const originOf = (request: FastifyRequest): string =>
    deps.publicUrl?.origin ?? `${request.protocol}://${request.host}`;
  return [
    route(writtenCalls.chooseLeadOfCall, ({ caller, params, body }) =>
      chooseLeadOfCall(deps, { caller, callSid: params.callSid, leadId: body.leadId }),
    ),
    route(writtenCalls.retryWritingCall, ({ caller, params }) =>
      retryWritingCall(deps, { caller, callSid: params.callSid }),
    ),
    route(writtenLeads.getLeadWriting, async ({ caller, params }) => {
      return { writing: await getLeadWriting(deps, caller, params.id) };
    }),
    route(writtenLeads.createLeadInCrm, ({ caller, params, body }) =>
      createInCrm(deps, caller, { leadId: params.id, integrationId: body.integrationId }),
    ),
    route(writtenLeads.retryWritingLead, ({ caller, params }) => retryWritingLead(deps, caller, params.id)),
    route(writtenLeads.setSendsChanges, ({ caller, params, body }) =>
      setSendsChanges(deps, caller, { integrationId: params.id, ...body }),
    ),
    route(contract.listCrmServices, async () => describeCrms(deps.crms)),
    route(contract.listIntegrations, ({ caller }) => listIntegrations(deps, caller)),
    route(contract.createIntegration, ({ caller, body }) => createIntegration(deps, caller, body)),
    route(contract.updateIntegration, ({ caller, params, body }) =>
      renameIntegration(deps, caller, { integrationId: params.id, label: body.label }),
    ),
    route(disconnect.disconnectIntegration, ({ caller, params }) => disconnectIntegration(deps, caller, params.id)),
    route(disconnect.countUnwritten, ({ caller, params }) => countUnwritten(deps, caller, params.id)),
    route(contract.removeIntegration, async ({ caller, params }) => {
      await removeIntegration(deps, caller, params.id);
      return undefined;
    }),
    route(contract.startCrmLogin, ({ caller, params, request }) =>
      startLogin(deps, caller, {
        service: contract.specifiedCrm,
        integrationId: params.id,
        origin: originOf(request),
      }),
    ),
    route(contract.finishCrmLogin, ({ caller, body }) =>
      finishLogin(deps, caller, { service: contract.specifiedCrm, code: body.code, state: body.integrationId }),
    ),
    route(contract.startServiceLogin, ({ caller, params, request }) =>
      startLogin(deps, caller, { service: params.service, integrationId: params.id, origin: originOf(request) }),
    ),
    route(contract.finishServiceLogin, ({ caller, params, body }) =>
      finishLogin(deps, caller, { service: params.service, code: body.code, state: body.integrationId }),
    ),
    route(contract.listCrmSources, ({ caller, params }) => listSources(deps, caller, params.id)),
    route(contract.describeCrmSource, ({ caller, params }) =>
      describeSource(deps, caller, { integrationId: params.id, source: params.source }),
    ),
    route(contract.saveCrmMapping, ({ caller, params, body }) => saveMapping(deps, caller, params.id, body)),
    route(contract.syncIntegration, ({ caller, params }) => startSync(deps, caller, params.id)),
    route(retrySyncRun, ({ caller, params }) => retryRun(deps, caller, params)),
    route(contract.listSyncRuns, ({ caller, params }) => listSyncRuns(deps, caller, params.id)),
    route(crmWebhooks.receiveCrmWebhook, async ({ params, query, request }) => {
      const { method, originalUrl, headers } = request;
      const url = new URL(originalUrl, originOf(request));
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const { service } = params;
      await receiveWebhook(deps, { service, key: query.key, request: { method, url, headers, body } });
      return undefined;
    }),
    route(contract.getSyncRun, ({ caller, params }) => getSyncRun(deps, caller, params)),
  ];
}
