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
export async function findReported(
  tx: Tx,
  { integrationId, service }: { integrationId: string; service: string },
): Promise<{ organisationId: string; isConnected: boolean } | null> {
  const row = await tx
    .selectFrom("integrations")
    .select(["organisation_id", "status"])
    .where("id", "=", integrationId)
    .where("service", "=", service)
    .executeTakeFirst();
  return row === undefined ? null : { organisationId: row.organisation_id, isConnected: row.status === "active" };
}
