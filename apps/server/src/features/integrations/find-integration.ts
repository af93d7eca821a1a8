import type { Integration } from "@leadline/contract/integrations";
import type { Tx } from "../../db/transaction.ts";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import { noIntegration } from "./integration-deps.ts";
import { findIntegration, selectIntegrations, type StoredIntegration } from "./integrations.table.ts";

interface Key {
  organisationId: string;
  integrationId: string;
}

/** One of the organisation's integrations. Throws the same problem for others as for missing ones. */
export async function requireIntegration(
  tx: Tx,
  key: Key,
  options: { lock: boolean } = { lock: false },
): Promise<StoredIntegration> {
  const integration = await findIntegration(tx, key, options);
  if (integration === null) throw noIntegration();
  return integration;
}

/** Returns its current state and tells every tab of the organisation to refetch it. */
export async function announceIntegration(tx: Tx, key: Key): Promise<Integration> {
  const [integration] = await selectIntegrations(tx, key.organisationId, key.integrationId);
  if (integration === undefined) throw noIntegration();
  await publishIntegrationChange(tx, key);
  return integration;
}

export async function publishIntegrationChange(tx: Tx, { organisationId, integrationId }: Key): Promise<void> {
  await publishLiveEvent(tx, { organisationId, type: "integration.updated", data: { integrationId } });
}
