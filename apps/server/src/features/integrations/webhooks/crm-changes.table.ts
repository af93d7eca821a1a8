import type { CrmChange } from "@leadline/adapter-kit/crm-webhooks";
import { type Generated, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

/** Reports from CRMs. Applied ones are kept for a week to recognise duplicates. */
export interface CrmChangeTable {
  integration_id: string;
  organisation_id: string;
  event_id: string;
  lead_external_id: string;
  received_at: Generated<string>;
  applied_at: string | null;
}

export interface OfIntegration {
  organisationId: string;
  integrationId: string;
}

/** Returns how many are new. */
export async function insertChanges(tx: Tx, key: OfIntegration, changes: readonly CrmChange[]): Promise<number> {
  await tx
    .deleteFrom("crm_changes")
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .where("received_at", "<", sql<string>`clock_timestamp() - interval '7 days'`)
    .execute();
  const { numAffectedRows } = await sql`
    insert into crm_changes (organisation_id, integration_id, event_id, lead_external_id)
    select ${key.organisationId}::uuid, ${key.integrationId}::uuid, event_id, lead_external_id
    from unnest(${changes.map((change) => change.eventId)}::text[],
      ${changes.map((change) => change.leadExternalId)}::text[]) as given (event_id, lead_external_id)
    on conflict do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Oldest first. Those older than `withinMs` are left to the scheduled sync. Null: none is. */
export async function selectWaitingChanges(
  tx: Tx,
  key: OfIntegration,
  { most, withinMs }: { most: number; withinMs: number | null },
): Promise<CrmChange[]> {
  const rows = await tx
    .selectFrom("crm_changes")
    .select(["event_id", "lead_external_id"])
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .where("applied_at", "is", null)
    .$if(withinMs !== null, (query) =>
      query.where("received_at", ">", sql<string>`clock_timestamp() - ${withinMs} * interval '1 millisecond'`),
    )
    .orderBy("received_at")
    .limit(most)
    .execute();
  return rows.map((row) => ({ eventId: row.event_id, leadExternalId: row.lead_external_id }));
}

/** False if another worker has applied one of them. */
export async function markApplied(tx: Tx, key: OfIntegration, eventIds: readonly string[]): Promise<boolean> {
  const updated = await tx
    .updateTable("crm_changes")
    .set({ applied_at: sql<string>`clock_timestamp()` })
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .where("event_id", "=", sql<string>`any(${eventIds}::text[])`)
    .where("applied_at", "is", null)
    .executeTakeFirst();
  return Number(updated.numUpdatedRows) === eventIds.length;
}
