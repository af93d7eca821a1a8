import { asLeadline } from "../../../db/as-leadline.ts";
import type { Tx } from "../../../db/transaction.ts";
import { OtherAccount } from "./crm-access.ts";
import { publishIntegrationChange } from "../find-integration.ts";
import { type IntegrationDeps, nameOf } from "../integration-deps.ts";
import { setConnectionProblem, type StoredIntegration } from "../integrations.table.ts";

/**
 * Marks the integration as needing to be reconnected, because of this error. `kept` says what isn't lost. Returns the
 * message for its people.
 */
export async function noteAccessEnded(
  deps: IntegrationDeps,
  tx: Tx,
  integration: StoredIntegration,
  { error, kept }: { error: unknown; kept: string },
): Promise<string> {
  const { id: integrationId, organisationId } = integration;
  const key = { organisationId, integrationId };
  const ended = `${nameOf(deps, integration)} no longer accepts Leadline’s access.`;
  const problem = `${error instanceof OtherAccount ? error.message : ended} Connect it again: ${kept}.`;
  await asLeadline(tx, "integration.access-ended", () => setConnectionProblem(tx, key, problem));
  await publishIntegrationChange(tx, key);
  return problem;
}
