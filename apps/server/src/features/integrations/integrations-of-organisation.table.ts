import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

const now = sql<string>`clock_timestamp()`;

/** Whoever has one in hand keeps no further page. */
export async function endRuns(tx: Tx, organisationId: string, problem: string): Promise<void> {
  await tx
    .updateTable("sync_runs")
    .set({ status: "failed", problem, retry_at: null, touched_at: now, ended_at: now })
    .where("organisation_id", "=", organisationId)
    .where("ended_at", "is", null)
    .execute();
}

/** At most so many; answers how many. */
export async function deleteSomeRuns(tx: Tx, organisationId: string, limit: number): Promise<number> {
  const some = tx
    .selectFrom("sync_runs")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .limit(limit)
    .forUpdate();
  const deleted = await tx.deleteFrom("sync_runs").where("id", "in", some).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

/** With the access they have, and the logins that are under way. */
export async function deleteIntegrations(tx: Tx, organisationId: string): Promise<void> {
  await tx.deleteFrom("integrations").where("organisation_id", "=", organisationId).execute();
}
