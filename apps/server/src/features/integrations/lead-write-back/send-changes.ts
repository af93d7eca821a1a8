import type { Integration } from "@leadline/contract/integrations";
import type { Member } from "../../../http/route.ts";
import { announceIntegration, requireIntegration } from "../find-integration.ts";
import { leadsWithOwnOwner } from "../../leads/owners/own-owner.ts";
import type { IntegrationDeps } from "../integration-deps.ts";
import { updateSendsChanges } from "../integrations.table.ts";
import { deleteChanges, insertDifferences } from "./lead-writes.table.ts";

/** Switching it on also sends what the team has changed before. Switching it off keeps those values in Leadline only. */
export function setSendsChanges(
  { database }: IntegrationDeps,
  caller: Member,
  { integrationId, sendsChanges }: { integrationId: string; sendsChanges: boolean },
): Promise<Integration> {
  const key = { organisationId: caller.organisation.id, integrationId };
  return database.withTransaction({ userId: caller.userId, organisationId: key.organisationId }, async (tx) => {
    const before = await requireIntegration(tx, key, { lock: true });
    if (before.sendsChanges !== sendsChanges) {
      await updateSendsChanges(tx, key, sendsChanges);
      await (sendsChanges ? insertDifferences(tx, key, await leadsWithOwnOwner(tx, key)) : deleteChanges(tx, key));
    }
    return announceIntegration(tx, key);
  });
}
