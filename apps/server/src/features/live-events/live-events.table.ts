import { type Generated, type GeneratedAlways, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface LiveEventTable {
  id: GeneratedAlways<number>;
  organisation_id: string;
  type: string;
  /** JSON text. */
  data: string;
  created_at: Generated<string>;
}

export interface LiveEventHorizonTable {
  organisation_id: string;
  pruned_to: number;
}

export interface StoredEvent {
  id: number;
  type: string;
  /** JSON text. */
  data: string;
}

/** Publishers of one organisation take turns. The notification carries `inline`: the data, or nothing if it is too big. */
export async function insertLiveEvent(
  tx: Tx,
  event: { organisationId: string; type: string; data: string; inline: string },
): Promise<void> {
  const { organisationId, type, data, inline } = event;
  await sql`
    with turn as materialized (
      select pg_advisory_xact_lock(hashtextextended('live-events:' || ${organisationId}, 0))
    ), inserted as (
      insert into live_events (organisation_id, type, data)
      select ${organisationId}::uuid, ${type}, ${data}::json from turn
      returning id
    )
    select pg_notify('leadline_events', concat_ws(' ', id, ${organisationId}::text, ${type}::text, ${inline}::text))
    from inserted`.execute(tx);
}

/** At most this many events are sent again. A client that missed more reads everything again. */
const maxResumed = 1_000;

export interface Resumption {
  /** The newest event's id, or 0. */
  lastId: number;
  /** Events after `after`, oldest first. Null if some of them are no longer stored. */
  missed: StoredEvent[] | null;
}

/** What a stream must send before live events. */
export async function selectMissed(tx: Tx, key: { organisationId: string; after: number | null }): Promise<Resumption> {
  const { organisationId, after } = key;
  const { rows } = await sql<{ last_id: number; pruned_to: number }>`
    select coalesce((select max(id) from live_events where organisation_id = ${organisationId}), 0) as last_id,
      coalesce((select pruned_to from live_event_horizons where organisation_id = ${organisationId}), 0) as pruned_to
  `.execute(tx);
  const { last_id = 0, pruned_to = 0 } = rows[0] ?? {};
  const lastId = Math.max(last_id, pruned_to);
  if (after === null) return { lastId, missed: [] };
  // An id from the future comes from a database that was since restored from a backup.
  if (after < pruned_to || after > lastId) return { lastId, missed: null };
  const missed = await tx
    .selectFrom("live_events")
    .select(["id", "type", sql<string>`data::text`.as("data")])
    .where("organisation_id", "=", organisationId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(maxResumed + 1)
    .execute();
  return { lastId, missed: missed.length > maxResumed ? null : missed };
}

export async function pruneLiveEvents(tx: Tx): Promise<void> {
  await sql`
    with gone as (
      delete from live_events where created_at < now() - interval '1 hour' returning organisation_id, id
    )
    insert into live_event_horizons as had (organisation_id, pruned_to)
    select organisation_id, max(id) from gone group by organisation_id
    on conflict (organisation_id) do update set pruned_to = greatest(had.pruned_to, excluded.pruned_to)`.execute(tx);
}
