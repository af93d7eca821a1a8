import { type RawBuilder, sql } from "kysely";

/** The cost of the row's call after this duration, in millionths of a US dollar. An unanswered call is free. */
export const costAfter = (durationMs: number | RawBuilder<number>): RawBuilder<number> => sql<number>`(
  case when calls.answered_at is null then 0 else cost_of_call(calls.rate, ${durationMs}::numeric) end)::bigint`;

/** For any row of calls, live or ended. */
export const costUntilNow = sql<number>`(
  case when calls.ended_at is not null then calls.cost_micros
  else ${costAfter(sql<number>`extract(epoch from clock_timestamp() - calls.answered_at) * 1000`)} end)`;

/** The cost of a live call at the moment it is answered. */
export const costOfAnswer = sql<number>`cost_of_call(calls.rate, 0)`;
