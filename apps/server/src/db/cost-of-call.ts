import { type RawBuilder, sql } from "kysely";

/**
 * What a call of the row has cost once it has lasted so many milliseconds, in millionths of a US dollar: the only place that
 * says so. By the minute begun, and an answered call has begun its first; unanswered, it costs nothing.
 */
export const costAfter = (durationMs: number | RawBuilder<number>): RawBuilder<number> => sql<number>`(
  case when calls.answered_at is null then 0
  else greatest(ceil(${durationMs}::numeric / 60000), 1) * calls.price_per_minute_micros end)::bigint`;

/** For every row of calls, live or ended. */
export const costUntilNow = sql<number>`(
  case when calls.ended_at is not null then calls.cost_micros
  else ${costAfter(sql<number>`extract(epoch from clock_timestamp() - calls.answered_at) * 1000`)} end)`;
