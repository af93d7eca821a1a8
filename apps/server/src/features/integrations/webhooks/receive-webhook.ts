import { CrmError } from "@leadline/adapter-kit/crm";
import type { CrmChange, CrmWebhookRequest } from "@leadline/adapter-kit/crm-webhooks";
import { Problem } from "../../../http/problem.ts";
import type { Jobs } from "../../../jobs/run-jobs.ts";
import { type IntegrationDeps, nameOf, requireCrmOf } from "../integration-deps.ts";
import { insertChanges, type OfIntegration } from "./crm-changes.table.ts";
import { findConnectedTo, findReported } from "./reported-integrations.table.ts";
import type { WebhookJobs } from "./webhook-jobs.ts";
import type { WebhookKeys } from "./webhook-keys.ts";

export interface ReceivingDeps extends IntegrationDeps {
  jobs: Pick<Jobs, "enqueue">;
  webhookJobs: WebhookJobs;
  webhookKeys: WebhookKeys;
}

/**
 * Verifies a report and records which leads it names; a job then reads those leads. Reports about accounts that aren't
 * connected are acknowledged and ignored, so the CRM stops repeating them.
 */
export async function receiveWebhook(
  deps: ReceivingDeps,
  { service, key, request }: { service: string; key: string | undefined; request: CrmWebhookRequest },
): Promise<void> {
  const { webhooks } = requireCrmOf(deps, service);
  if (webhooks === null)
    throw new Problem("not-found", `${nameOf(deps, { service })} doesn’t report changes to this address.`);
  if (webhooks.addressedBy === "account") {
    const changes = verified(deps, service, () => webhooks.read(request));
    for (const [account, ofAccount] of Map.groupBy(changes, (each) =>
      JSON.stringify([each.workspace, each.accountId]),
    )) {
      const [workspace, accountId] = JSON.parse(account) as [string | null, string];
      const connected = await deps.database.withTransaction({ system: "find whose leads changed" }, (tx) =>
        findConnectedTo(tx, { service, workspace, accountId }),
      );
      for (const integration of connected) await record(deps, integration, ofAccount);
    }
    return;
  }
  const integrationId = deps.webhookKeys.read(key ?? "");
  const found =
    integrationId === null
      ? null
      : await deps.database.withTransaction({ system: "find whose leads changed" }, (tx) =>
          findReported(tx, { integrationId, service }),
        );
  if (integrationId === null || found === null) throw refuse(deps, service, "the address has no valid key");
  const { organisationId, isConnected } = found;
  const integration = { organisationId, integrationId };
  const { changes, confirmation } = verified(deps, service, () => webhooks.read(request));
  if (!isConnected) return;
  if (confirmation !== null)
    await deps.database.withTransaction({ organisationId }, (tx) =>
      deps.jobs.enqueue(tx, deps.webhookJobs.confirm, { ...integration, confirmation }),
    );
  if (changes.length > 0) await record(deps, integration, changes);
}

async function record(deps: ReceivingDeps, key: OfIntegration, changes: readonly CrmChange[]): Promise<void> {
  await deps.database.withTransaction({ organisationId: key.organisationId }, async (tx) => {
    if ((await insertChanges(tx, key, changes)) > 0) await deps.jobs.enqueue(tx, deps.webhookJobs.apply, key);
  });
}

function verified<T>(deps: ReceivingDeps, service: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CrmError) throw refuse(deps, service, error.message);
    throw error;
  }
}

function refuse(deps: ReceivingDeps, service: string, why: string): Problem {
  deps.log.warn({ security: "crm-webhook-refused", service, why }, "refused a report that may not be the CRM’s");
  return new Problem("webhook-refused", `This is not a report from ${nameOf(deps, { service })}.`);
}
