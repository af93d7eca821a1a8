import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

/**
 * Connected integrations whose last sync ended more than `everyMs` ago (`afterFailureMs` if it failed), oldest first.
 * `comparesAll` is true if their last full comparison is older than `compareMs`. Integrations without any sync are left
 * out.
 */
export async function selectDueIntegrations(
  tx: Tx,
  due: {
    everyMs: number;
    afterFailureMs: number;
    compareMs: number;
    most: number;
    organisationId?: string | undefined;
  },
): Promise<{ organisationId: string; integrationId: string; comparesAll: boolean }[]> {
  const ago = (ms: number) => sql<string>`clock_timestamp() - ${ms} * interval '1 millisecond'`;
  return tx
    .selectFrom("integrations")
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom("sync_runs")
          .select(["status", "ended_at"])
          .whereRef("sync_runs.integration_id", "=", "integrations.id")
          .orderBy("created_at", "desc")
          .limit(1)
          .as("newest"),
      (join) => join.onTrue(),
    )
    .select([
      "integrations.organisation_id as organisationId",
      "integrations.id as integrationId",
      sql<boolean>`integrations.compared_at < ${ago(due.compareMs)}`.as("comparesAll"),
    ])
    .where("integrations.status", "=", "active")
    .where("integrations.problem", "is", null)
    .where((where) =>
      where.or([
        where("newest.ended_at", "<", ago(Math.max(due.everyMs, due.afterFailureMs))),
        where("newest.ended_at", "<", ago(due.everyMs)).and("newest.status", "<>", "failed"),
      ]),
    )
    .$if(due.organisationId !== undefined, (query) =>
      query.where("integrations.organisation_id", "=", due.organisationId ?? ""),
    )
    .orderBy("newest.ended_at")
    .limit(due.most)
    .execute();
}

/** Deletes the newest run if it was scheduled and changed nothing. */
export async function deleteIdleRun(tx: Tx, key: { organisationId: string; integrationId: string }): Promise<void> {
  const newest = tx
    .selectFrom("sync_runs")
    .select("id")
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .orderBy("created_at", "desc")
    .limit(1);
  await tx
    .deleteFrom("sync_runs")
    .where("id", "=", newest)
    .where("scheduled", "=", true)
    .where("status", "=", "completed")
    .where(sql<boolean>`created_count + updated_count + deleted_count + kept_count + failed_count = 0`)
    .execute();
}
