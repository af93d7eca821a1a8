import { teammateCarrier } from "@leadline/contract/transfers";
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

/**
 * Whether it is unknown what the row's call cost: it was answered, but no rate was known, and no record of the carrier
 * has said the cost. It counts as $0.
 */
export const isUnpriced = sql<boolean>`(calls.rate is null and calls.cost_micros = 0 and calls.answered_at is not null
  and calls.direction = 'outbound' and calls.carrier <> ${teammateCarrier})`;
