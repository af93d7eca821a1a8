import { readClock } from "../../../db/read-clock.ts";
import type { IntegrationDeps } from "../integration-deps.ts";
import type { StoredIntegration } from "../integrations.table.ts";

/** Reads from a CRM. `asOf`: the time just before, by the database's clock, as upsertLeads takes it. */
export async function readAsOf<T>(
  { database }: Pick<IntegrationDeps, "database">,
  { organisationId }: Pick<StoredIntegration, "organisationId">,
  read: () => Promise<T>,
): Promise<{ read: T; asOf: string }> {
  const asOf = await database.readAtOnce({ organisationId }, readClock);
  return { read: await read(), asOf };
}
