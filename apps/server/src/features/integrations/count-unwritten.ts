import type { Unwritten } from "@leadline/contract/disconnect-integration";
import type { Member } from "../../http/route.ts";
import { requireIntegration } from "./find-integration.ts";
import type { IntegrationDeps } from "./integration-deps.ts";
import { countUnwrittenLeads } from "./lead-write-back/lead-writes.table.ts";
import { countUnwrittenCalls } from "./call-logging/call-activities.table.ts";

export function countUnwritten(
  { database }: IntegrationDeps,
  caller: Member,
  integrationId: string,
): Promise<Unwritten> {
  const organisationId = caller.organisation.id;
  const key = { organisationId, integrationId };
  return database.withTransaction({ userId: caller.userId, organisationId }, async (tx) => {
    await requireIntegration(tx, key);
    return { calls: await countUnwrittenCalls(tx, key), leads: await countUnwrittenLeads(tx, key) };
  });
}
