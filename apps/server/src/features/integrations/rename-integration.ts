import type { Integration } from "@leadline/contract/integrations";
import type { Member } from "../../http/route.ts";
import { announceIntegration } from "./find-integration.ts";
import { type IntegrationDeps, noIntegration } from "./integration-deps.ts";
import { updateLabel } from "./integrations.table.ts";

export async function renameIntegration(
  { database }: IntegrationDeps,
  caller: Member,
  change: { integrationId: string; label: string },
): Promise<Integration> {
  const key = { organisationId: caller.organisation.id, integrationId: change.integrationId };
  return database.withTransaction({ userId: caller.userId, organisationId: key.organisationId }, async (tx) => {
    if (!(await updateLabel(tx, key, change.label))) throw noIntegration();
    return announceIntegration(tx, key);
  });
}
