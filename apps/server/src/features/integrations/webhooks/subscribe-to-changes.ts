import { CrmError, type CrmGrant } from "@leadline/adapter-kit/crm";
import type { CrmWebhooks } from "@leadline/adapter-kit/crm-webhooks";
import { withCrmGrant } from "../crm-access.ts";
import { type IntegrationDeps, requireCrm } from "../integration-deps.ts";
import { findIntegration, type StoredIntegration } from "../integrations.table.ts";
import type { OfIntegration } from "./crm-changes.table.ts";
import type { WebhookKeys } from "./webhook-keys.ts";

type KeyedWebhooks = CrmWebhooks & { addressedBy: "key" };

/** Asks the CRM to report changes of the chosen source here, if it takes such requests and can reach this server. */
export async function subscribeToChanges(
  deps: IntegrationDeps & { webhookKeys: WebhookKeys; publicUrl: URL | null },
  key: OfIntegration,
): Promise<void> {
  const { webhookKeys, publicUrl } = deps;
  await withWebhooks(deps, key, async ({ webhooks, integration, grant }) => {
    const { mapping, service, workspace } = integration;
    const isSandbox = workspace !== null && workspace === deps.crms.sandboxes.get(service)?.domain;
    // The sandbox uses the path only.
    const origin = publicUrl ?? (isSandbox ? new URL("http://localhost") : null);
    if (mapping === null || origin === null) return;
    const url = new URL(`/api/v1/crm-webhooks/${service}`, origin);
    url.searchParams.set("key", webhookKeys.keyOf(key.integrationId));
    await webhooks.subscribe(grant, mapping, url);
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
