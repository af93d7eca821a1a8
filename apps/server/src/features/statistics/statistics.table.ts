import type { Statistics } from "@leadline/contract/statistics";
import { teammateCarrier } from "@leadline/contract/transfers";
import { sql } from "kysely";
import { isUnpriced } from "../../db/cost-of-call.ts";
import { formerMember } from "../../db/person-name.ts";
import type { Tx } from "../../db/transaction.ts";
import { wholeSeconds } from "../../db/whole-seconds.ts";

export interface StatisticsAsked {
  organisationId: string;
  /** First and last calendar day, in the time zone. */
  from: string;
  to: string;
  /** The organisation's if null. */
  timeZone: string | null;
  userId: string | null;
  /** Replaces the current time in tests. */
  now?: string;
}

/** PostgreSQL's list of zones may be older than the browser's. */
export const isUnknownTimeZone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "22023" && /time zone/.test(error.message);

/**
 * Reads both periods in one statement. Days follow the time zone, with 23 or 25 hours at clock changes. The previous
 * period has as many days. For a running period it ends at the same time on its last day, so that mornings compare with
 * mornings.
 */
export async function selectStatistics(tx: Tx, asked: StatisticsAsked): Promise<Statistics> {
  const { organisationId, from, to, timeZone, userId, now = null } = asked;
  const { rows } = await sql<Statistics>`
    with asked as (
      select ${from}::date as first_day, ${to}::date as last_day, ${to}::date - ${from}::date + 1 as days,
        coalesce(${now}::timestamptz, clock_timestamp()) as now, coalesce(${timeZone}, (select time_zone from organisations where id = ${organisationId})) as zone
    ), whole as (
      select asked.*, first_day::timestamp at time zone zone as starts_at,
        (last_day + 1)::timestamp at time zone zone as ends_at
      from asked
    ), spans as (
      select 'period' as span, zone, first_day, last_day, starts_at, ends_at from whole
      union all
      select 'before', zone, first_day - days, last_day - days, (first_day - days)::timestamp at time zone zone,
        case when now >= starts_at and now < ends_at
          then least(((now at time zone zone) - make_interval(days => days)) at time zone zone, starts_at)
          else starts_at end
      from whole
    ), counted as materialized (
      select span, calls.user_id, outcome_id, duration_ms, setup_ms, cost_micros, ${isUnpriced} and ended_at is not null as unpriced,
        answered_at is not null as answered, ended_at is not null as ended, direction = 'outbound' as placed, created_at at time zone zone as local,
        ${userId}::uuid is null or calls.user_id = ${userId}::uuid as chosen
      from spans
      join calls on calls.organisation_id = ${organisationId} and calls.user_id is not null
        and calls.carrier <> ${teammateCarrier}
        and calls.created_at >= spans.starts_at and calls.created_at < spans.ends_at
    ), totals as (
      select span, count(*) as calls, count(*) filter (where ended) as ended,
        count(*) filter (where answered) as answered, count(*) filter (where answered and ended) as talked,
        count(*) filter (where ended and placed) as tried, count(*) filter (where answered and ended and placed) as reached,
        coalesce(sum(${wholeSeconds}), 0) as talk_ms, avg(setup_ms) filter (where answered and placed) as setup_ms,
        coalesce(sum(cost_micros), 0) as cost_micros, count(*) filter (where unpriced) as unpriced_calls
      from counted where chosen group by span
    ), figures as (
      select spans.span, json_build_object(
        'startsAt', ${utc("spans.starts_at")}, 'endsAt', ${utc("spans.ends_at")},
        'calls', coalesce(calls, 0), 'ended', coalesce(ended, 0), 'answered', coalesce(answered, 0),
        'connectRate', case when tried > 0 then reached::float8 / tried end,
        'talkMs', coalesce(talk_ms, 0), 'averageTalkMs', case when talked > 0 then round(talk_ms / talked)::int end,
        'averageSetupMs', round(setup_ms)::int, 'costMicros', coalesce(cost_micros, 0), 'unpricedCalls', coalesce(unpriced_calls, 0),
        'outcomes', (
          select coalesce(json_agg(json_build_object('outcomeId', outcome_id, 'name', name, 'calls', calls)
            order by outcome_id is null, calls desc, name), '[]')
          from (
            select outcome_id, coalesce(call_outcomes.name, 'No outcome') as name, count(*) as calls
            from counted left join call_outcomes on call_outcomes.id = outcome_id
            where counted.span = spans.span and chosen and ended group by 1, 2
          ) as by_outcome
        ),
        'hours', (
          select json_agg(json_build_object('hour', hour, 'calls', calls, 'answered', answered) order by hour)
          from (
            select hour, count(local) as calls, count(local) filter (where answered) as answered
            from generate_series(0, 23) as hour
            left join counted on counted.span = spans.span and chosen and extract(hour from local) = hour group by 1
          ) as by_hour
        ),
        'days', (
          select json_agg(json_build_object('date', day, 'calls', calls, 'answered', answered,
            'costMicros', cost_micros) order by day)
          from (
            select day::date as day, count(local) as calls, count(local) filter (where answered) as answered,
              coalesce(sum(cost_micros), 0) as cost_micros
            from generate_series(spans.first_day::timestamp, spans.last_day, '1 day') as day
            left join counted on counted.span = spans.span and chosen and local::date = day::date group by 1
          ) as by_day
        )
      ) as figures
      from spans left join totals on totals.span = spans.span
    ), callers as (
      select user_id, count(*) as calls, count(*) filter (where answered) as answered, sum(${wholeSeconds}) as talk_ms
      from counted where span = 'period' group by 1
    ), people as (
      select user_id, coalesce(users.first_name || ' ' || users.last_name, ${formerMember}) as name,
        coalesce(calls, 0) as calls, coalesce(answered, 0) as answered, coalesce(talk_ms, 0) as talk_ms
      from (select user_id from memberships where organisation_id = ${organisationId}) as members
      full join callers using (user_id) left join users on users.id = user_id
    )
    select (select zone from asked) as "timeZone", (select figures from figures where span = 'period') as period,
      (select figures from figures where span = 'before') as before,
      (select coalesce(json_agg(json_build_object('userId', user_id, 'name', name, 'calls', calls,
        'answered', answered, 'talkMs', talk_ms) order by calls desc, name, user_id), '[]') from people) as members
  `.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("the statistics' statement answers one row");
  return row;
}

/** RFC 3339, like the API's other timestamps. */
const utc = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);
