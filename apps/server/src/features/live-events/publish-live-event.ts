import type { LiveEventData, LiveEventType } from "@leadline/contract/live-events";
import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface NewLiveEvent<T extends LiveEventType> {
  organisationId: string;
  type: T;
  data: LiveEventData<T>;
}

/** A notification holds under 8,000 bytes; a bigger event is announced by its id alone. */
const largestPayloadBytes = 7_500;

/**
 * Tells every stream of the organisation, when and if the transaction commits. Publish last: until the commit the
 * organisation's other publishers wait, so that ids become visible in order and a resume after one misses none before it.
 */
export async function publishLiveEvent<T extends LiveEventType>(tx: Tx, event: NewLiveEvent<T>): Promise<void> {
  const { organisationId, type } = event;
  const data = JSON.stringify(event.data);
  const inline = Buffer.byteLength(data) < largestPayloadBytes ? data : "";
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
