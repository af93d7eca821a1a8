import { giveUpAccess } from "./give-up-access.ts";
import type { IntegrationDeps } from "./integration-deps.ts";
import { selectConnected } from "./integrations.table.ts";

/** Of an organisation that goes: no CRM keeps a door open for it, as far as that succeeds. */
export async function giveUpEveryAccess(deps: IntegrationDeps, organisationId: string): Promise<void> {
  const connected = await deps.database.withTransaction({ organisationId }, (tx) =>
    selectConnected(tx, organisationId),
  );
  for (const integration of connected)
    await giveUpAccess(deps, integration).catch((error: unknown) =>
      deps.log.warn({ err: error, integrationId: integration.id }, "a CRM is not available to give its access up"),
    );
}
