import { type RawBuilder, sql } from "kysely";

/** What a call of the row has cost once it has lasted so long, in millionths of a US dollar; unanswered, it costs nothing. */
export const costAfter = (durationMs: number | RawBuilder<number>): RawBuilder<number> => sql<number>`(
  case when calls.answered_at is null then 0 else cost_of_call(calls.rate, ${durationMs}::numeric) end)::bigint`;

/** For any row of calls, live or ended. */
export const costUntilNow = sql<number>`(
  case when calls.ended_at is not null then calls.cost_micros
  else ${costAfter(sql<number>`extract(epoch from clock_timestamp() - calls.answered_at) * 1000`)} end)`;

/** What a live call costs once it is answered. */
export const costOfAnswer = sql<number>`cost_of_call(calls.rate, 0)`;
