import { CrmError, type CrmGrant } from "@leadline/adapter-kit/crm";
import type { CrmWebhooks } from "@leadline/adapter-kit/crm-webhooks";
import { withCrmGrant } from "../access/crm-access.ts";
import { askInTime } from "../access/give-up-access.ts";
import { type IntegrationDeps, requireCrm } from "../integration-deps.ts";
import { findIntegration, type StoredIntegration } from "../integrations.table.ts";
import type { OfIntegration } from "./crm-changes.table.ts";
import type { WebhookKeys } from "./webhook-keys.ts";

type KeyedWebhooks = CrmWebhooks & { addressedBy: "key" };

export interface ReportDeps extends IntegrationDeps {
  webhookKeys: WebhookKeys;
  publicUrl: URL | null;
}

/** Asks the CRM to report changes of the chosen source here, if it takes such requests and can reach this server. */
export async function subscribeToChanges(deps: ReportDeps, key: OfIntegration): Promise<void> {
  await withWebhooks(deps, key, async ({ webhooks, integration, grant }) => {
    const { mapping } = integration;
    const url = addressFor(deps, integration);
    if (mapping !== null && url !== null) await webhooks.subscribe(grant, mapping, url);
  });
}

/** Null if the CRM can't reach this server. */
function addressFor(
  { webhookKeys, publicUrl, crms }: ReportDeps,
  { id, service, workspace }: StoredIntegration,
): URL | null {
  const isSandbox = workspace !== null && workspace === crms.sandboxes.get(service)?.domain;
  // The sandbox uses the path only.
  const origin = publicUrl ?? (isSandbox ? new URL("http://localhost") : null);
  if (origin === null) return null;
  const url = new URL(`/api/v1/crm-webhooks/${service}`, origin);
  url.searchParams.set("key", webhookKeys.keyOf(id));
  return url;
}

/**
 * Asks the CRM to no longer report changes of this integration's source here, if it takes such requests. Call it while
 * there is still access. If the CRM doesn't respond, it goes on reporting, and the reports are ignored.
 */
export async function unsubscribeFromChanges(deps: ReportDeps, integration: StoredIntegration): Promise<void> {
  const { mapping, service } = integration;
  const webhooks = deps.crms.find(service)?.crm.webhooks;
  const url = addressFor(deps, integration);
  if (mapping === null || url === null || webhooks?.addressedBy !== "key") return;
  await askInTime(deps, integration, {
    failed: "a CRM could not be asked to stop reporting changes",
    work: () => withCrmGrant(deps, integration, (grant) => webhooks.unsubscribe(grant, mapping.source, url)),
  });
}

/** Proves to the CRM that the URL is ours. */
export async function confirmWebhook(deps: IntegrationDeps, key: OfIntegration, confirmation: string): Promise<void> {
  await withWebhooks(deps, key, ({ webhooks, grant }) => webhooks.confirm(grant, confirmation));
}

/** A refusal is only logged: scheduled syncs still find every change. */
async function withWebhooks(
  deps: IntegrationDeps,
  key: OfIntegration,
  work: (open: { webhooks: KeyedWebhooks; integration: StoredIntegration; grant: CrmGrant }) => Promise<void>,
): Promise<void> {
  const { organisationId, integrationId } = key;
  const integration = await deps.database.withTransaction({ organisationId }, (tx) => findIntegration(tx, key));
  if (integration === null || integration.status !== "active" || integration.problem !== null) return;
  const { webhooks } = requireCrm(deps, integration).crm;
  if (webhooks?.addressedBy !== "key") return;
  try {
    await withCrmGrant(deps, integration, (grant) => work({ webhooks, integration, grant }));
  } catch (error) {
    const passes = error instanceof CrmError && (error.fault === "limited" || error.fault === "unreachable");
    if (!(error instanceof CrmError) || passes) throw error;
    deps.log.warn({ err: error, integrationId }, "a CRM does not report changes to this server");
  }
}
