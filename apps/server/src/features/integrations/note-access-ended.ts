import { crmServiceNames } from "@leadline/contract/integrations";
import { asLeadline } from "../../db/as-leadline.ts";
import type { Tx } from "../../db/transaction.ts";
import { publishIntegrationChange } from "./find-integration.ts";
import { setConnectionProblem, type StoredIntegration } from "./integrations.table.ts";

/** Marks the integration as needing to be reconnected. `kept` says what isn't lost. Returns the message for its people. */
export async function noteAccessEnded(
  tx: Tx,
  { id, organisationId, service }: StoredIntegration,
  kept: string,
): Promise<string> {
  const key = { organisationId, integrationId: id };
  const problem = `${crmServiceNames[service]} no longer accepts Leadline’s access. Connect it again: ${kept}.`;
  await asLeadline(tx, "integration.access-ended", () => setConnectionProblem(tx, key, problem));
  await publishIntegrationChange(tx, key);
  return problem;
}
