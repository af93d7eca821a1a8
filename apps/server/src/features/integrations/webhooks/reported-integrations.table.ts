import type { Tx } from "../../../db/transaction.ts";
import type { OfIntegration } from "./crm-changes.table.ts";

/** The integrations of all organisations connected to an account. Needs the system scope. */
export async function findConnectedTo(
  tx: Tx,
  account: { service: string; workspace: string | null; accountId: string },
): Promise<OfIntegration[]> {
  return tx
    .selectFrom("integrations")
    .select(["organisation_id as organisationId", "id as integrationId"])
    .where("service", "=", account.service)
    .where("workspace_domain", "is not distinct from", account.workspace)
    .where("account_id", "=", account.accountId)
    .where("status", "=", "active")
    .execute();
}

/** Needs the system scope. Null if the service has no such integration. */
export async function findOrganisationOf(
  tx: Tx,
  { integrationId, service }: { integrationId: string; service: string },
): Promise<string | null> {
  const row = await tx
    .selectFrom("integrations")
    .select("organisation_id")
    .where("id", "=", integrationId)
    .where("service", "=", service)
    .executeTakeFirst();
  return row?.organisation_id ?? null;
}
