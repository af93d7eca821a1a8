import { type Generated, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

/** Columns of integrations. */
export interface RequestPauseColumns {
  /** The CRM has reached a limit: nothing is asked until then. */
  paused_until: string | null;
  /** How often in a row. */
  pauses: Generated<number>;
}

interface Key {
  organisationId: string;
  integrationId: string;
}

/** The rest of the pause, 0 if there is none, and how many there have been in a row. */
export async function findPause(tx: Tx, key: Key): Promise<{ leftMs: number; pauses: number }> {
  const row = await tx
    .selectFrom("integrations")
    .select([
      sql<number>`coalesce(greatest(0, ceil(extract(epoch from paused_until - clock_timestamp()) * 1000)), 0)::int`.as(
        "leftMs",
      ),
      "pauses",
    ])
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .executeTakeFirst();
  return row ?? { leftMs: 0, pauses: 0 };
}

/** Requests that are refused together count as one pause. */
export async function pauseRequests(tx: Tx, key: Key, ms: number): Promise<void> {
  await tx
    .updateTable("integrations")
    .set({
      paused_until: sql<string>`greatest(paused_until, clock_timestamp() + ${ms} * interval '1 millisecond')`,
      pauses: sql<number>`pauses + case when paused_until > clock_timestamp() then 0 else 1 end`,
    })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .execute();
}

export async function endPauses(tx: Tx, key: Key): Promise<void> {
  await tx
    .updateTable("integrations")
    .set({ paused_until: null, pauses: 0 })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .execute();
}

/** The CRM accepts requests again. A pause that another request has just been asked for stays. */
export async function endPastPauses(tx: Tx, key: Key): Promise<void> {
  await tx
    .updateTable("integrations")
    .set({ paused_until: null, pauses: 0 })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .where(sql<boolean>`coalesce(paused_until, '-infinity') <= clock_timestamp()`)
    .execute();
}
