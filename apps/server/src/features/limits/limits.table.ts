import { type Limits, type MemberLimits, noOwnLimits } from "@leadline/contract/limits";
import { teammateCarrier } from "@leadline/contract/transfers";
import { type Generated, type RawBuilder, type Selectable, sql } from "kysely";
import { costOfAnswer, costUntilNow, isUnpriced } from "../../db/cost-of-call.ts";
import type { Tx } from "../../db/transaction.ts";

interface LimitColumns {
  allowed_countries: string[] | null;
  blocked_prefixes: Generated<string[]>;
  concurrent_calls: number | null;
  calls_per_minute: number | null;
  /** Millionths of a US dollar. */
  daily_spend: number | null;
  rate_per_minute: number | null;
  call_minutes: number | null;
}

/** Null means the default. */
export interface OrganisationLimitsTable extends LimitColumns {
  organisation_id: string;
}

/** Null means the organisation’s. */
export interface MemberLimitsTable extends LimitColumns {
  organisation_id: string;
  user_id: string;
}

type OrganisationLimits = Omit<Limits, "used" | "own">;

/** Enough for a team at work, and low enough that a stolen session costs little. Countries: only the default country. */
const defaults = { concurrentCalls: 10, callsPerMinute: 30, dailySpend: 50_000_000, callMinutes: 240 };

const toLimits = (row: Selectable<LimitColumns>): MemberLimits => ({
  allowedCountries: row.allowed_countries,
  blockedPrefixes: row.blocked_prefixes,
  concurrentCalls: row.concurrent_calls,
  callsPerMinute: row.calls_per_minute,
  dailySpend: row.daily_spend,
  ratePerMinute: row.rate_per_minute,
  callMinutes: row.call_minutes,
});

function toOrganisationLimits(row: Selectable<LimitColumns> | null, defaultCountry: string): OrganisationLimits {
  const set = row === null ? noOwnLimits : toLimits(row);
  return {
    allowedCountries: set.allowedCountries ?? [defaultCountry],
    blockedPrefixes: set.blockedPrefixes,
    concurrentCalls: set.concurrentCalls ?? defaults.concurrentCalls,
    callsPerMinute: set.callsPerMinute ?? defaults.callsPerMinute,
    dailySpend: set.dailySpend ?? defaults.dailySpend,
    dailySpendIsDefault: set.dailySpend === null,
    ratePerMinute: set.ratePerMinute,
    callMinutes: set.callMinutes ?? defaults.callMinutes,
  };
}

export interface Used {
  concurrentCalls: number;
  callsPerMinute: number;
  dailySpend: number;
  /** In millionths of a US dollar: what the unanswered live calls will cost at once when they are answered. */
  firstMinutes: number;
}

export interface LimitsAndUse {
  /** `unpricedCalls`: today's answered calls without a known price, which `dailySpend` counts as 0. */
  organisation: { limits: OrganisationLimits; used: Used & { unpricedCalls: number } };
  member: { limits: MemberLimits; used: Used };
}

/** `userId`: also reads the member's own limits and usage. */
export interface Caller {
  organisationId: string;
  userId: string;
}

interface Row {
  default_country: string;
  of_organisation: Selectable<LimitColumns> | null;
  of_member: Selectable<LimitColumns> | null;
  used: LimitsAndUse["organisation"]["used"];
  used_by_member: Used;
}

/** For a day after a change of the time zone, the last 24 hours: changing zones must not start a new day of spending. */
const sinceDayBegan = sql`case when time_zone_changed_at > clock_timestamp() - interval '1 day'
  then clock_timestamp() - interval '1 day'
  else date_trunc('day', clock_timestamp() at time zone time_zone) at time zone time_zone end as day_began`;

/**
 * Calls that still ran then, or later: one over midnight counts whole on the day on which it ends. None is longer than a
 * day, so the index of the time at which they began is enough.
 */
const spentSince = (dayBegan: RawBuilder<unknown>) => sql`(calls.ended_at is null
  or (calls.created_at >= ${dayBegan} - interval '1 day' and calls.ended_at >= ${dayBegan}))`;

/** Counts what is committed at this moment, and the transaction’s own changes. */
export async function readLimits(tx: Tx, { organisationId, userId }: Caller): Promise<LimitsAndUse> {
  const own = sql`filter (where user_id = ${userId}::uuid)`;
  const dialled = sql`
    calls.organisation_id = ${organisationId} and direction = 'outbound' and carrier <> ${teammateCarrier}`;
  const { rows } = await sql<Row>`
    with organisation as (
      select id, default_country, ${sinceDayBegan} from organisations where id = ${organisationId}
    ),
    live as (
      select count(*) as calls, count(*) ${own} as own_calls,
        coalesce(sum(${costOfAnswer} * (answered_at is null)::int), 0)::bigint as first_minutes,
        coalesce(sum(${costOfAnswer} * (answered_at is null)::int) ${own}, 0)::bigint as own_first_minutes
      from calls where ${dialled} and ended_at is null
    ),
    begun as (
      select count(*) as calls, count(*) ${own} as own_calls from (
        select user_id from calls where ${dialled} and created_at > clock_timestamp() - interval '1 minute'
        union all
        select calls.user_id from call_transfers t join calls using (call_sid)
        where t.organisation_id = ${organisationId} and not attended and not bridged and member_id is null
          and asked_at > clock_timestamp() - interval '1 minute') as within_minute
    ),
    spent as (
      select coalesce(sum(${costUntilNow}), 0)::bigint as micros, coalesce(sum(${costUntilNow}) ${own}, 0)::bigint as own_micros,
        count(*) filter (where ${isUnpriced}) as unpriced_calls
      from calls where calls.organisation_id = ${organisationId} and ${spentSince(sql`(select day_began from organisation)`)}
    )
    select default_country, row_to_json(l) as of_organisation, row_to_json(m) as of_member,
      json_build_object('concurrentCalls', live.calls, 'callsPerMinute', begun.calls, 'dailySpend', spent.micros,
        'firstMinutes', live.first_minutes, 'unpricedCalls', spent.unpriced_calls) as used,
      json_build_object('concurrentCalls', live.own_calls, 'callsPerMinute', begun.own_calls,
        'dailySpend', spent.own_micros, 'firstMinutes', live.own_first_minutes) as used_by_member
    from organisation cross join live cross join begun cross join spent
    left join organisation_limits l on l.organisation_id = organisation.id
    left join member_limits m on m.organisation_id = organisation.id and m.user_id = ${userId}::uuid`.execute(tx);
  const row = rows[0];
  if (row === undefined) throw new Error("the organisation whose limits are read is not there");
  return {
    organisation: { limits: toOrganisationLimits(row.of_organisation, row.default_country), used: row.used },
    member: { limits: row.of_member === null ? noOwnLimits : toLimits(row.of_member), used: row.used_by_member },
  };
}

/** For work without a member. */
export const nobody = "00000000-0000-0000-0000-000000000000";

/** Makes the organisation's other calls wait to be counted until the transaction ends. */
export async function takeTurnAtLimits(tx: Tx, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('limits:' || ${organisationId}, 0))`.execute(tx);
}

/** Undefined fields stay unchanged. */
export type LimitsChange = { [Name in keyof MemberLimits]?: MemberLimits[Name] | undefined };

const toColumns = (change: LimitsChange) => ({
  ...(change.allowedCountries !== undefined && { allowed_countries: change.allowedCountries }),
  ...(change.blockedPrefixes !== undefined && { blocked_prefixes: change.blockedPrefixes }),
  ...(change.concurrentCalls !== undefined && { concurrent_calls: change.concurrentCalls }),
  ...(change.callsPerMinute !== undefined && { calls_per_minute: change.callsPerMinute }),
  ...(change.dailySpend !== undefined && { daily_spend: change.dailySpend }),
  ...(change.ratePerMinute !== undefined && { rate_per_minute: change.ratePerMinute }),
  ...(change.callMinutes !== undefined && { call_minutes: change.callMinutes }),
});

export async function writeLimits(tx: Tx, organisationId: string, change: LimitsChange): Promise<void> {
  const set = toColumns(change);
  if (Object.keys(set).length === 0) return;
  await tx
    .insertInto("organisation_limits")
    .values({ organisation_id: organisationId, ...set })
    .onConflict((conflict) => conflict.column("organisation_id").doUpdateSet(set))
    .execute();
}

/** If there is no list of countries, makes this one the only allowed country. */
export async function keepCountry(tx: Tx, organisationId: string, country: string): Promise<void> {
  await sql`
    insert into organisation_limits (organisation_id, allowed_countries) values (${organisationId}, ${[country]})
    on conflict (organisation_id) do update set
      allowed_countries = coalesce(organisation_limits.allowed_countries, excluded.allowed_countries)`.execute(tx);
}

export async function writeMemberLimits(
  tx: Tx,
  { organisationId, userId }: Caller,
  change: LimitsChange,
): Promise<void> {
  const set = toColumns(change);
  if (Object.keys(set).length === 0) return;
  await tx
    .insertInto("member_limits")
    .values({ organisation_id: organisationId, user_id: userId, ...set })
    .onConflict((conflict) => conflict.columns(["organisation_id", "user_id"]).doUpdateSet(set))
    .execute();
}

export async function selectMemberLimits(
  tx: Tx,
  organisationId: string,
): Promise<{ userId: string; limits: MemberLimits }[]> {
  const rows = await tx
    .selectFrom("member_limits")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.organisation_id", "=", "member_limits.organisation_id")
        .onRef("memberships.user_id", "=", "member_limits.user_id"),
    )
    .selectAll("member_limits")
    .where("member_limits.organisation_id", "=", organisationId)
    .orderBy("member_limits.user_id")
    .execute();
  return rows.map((row) => ({ userId: row.user_id, limits: toLimits(row) }));
}

export interface MemberBounds {
  userId: string;
  /** Null without a limit of their own, as in the rest of this file. */
  remainingMicros: number | null;
  callMinutes: number | null;
}

/** What members with live calls have left of their own limits. */
export async function selectMemberBounds(tx: Tx, organisationId: string): Promise<MemberBounds[]> {
  const { rows } = await sql<MemberBounds>`
    select m.user_id as "userId", m.call_minutes as "callMinutes", (m.daily_spend - used.micros)::bigint as "remainingMicros"
    from member_limits m
    join (select id, ${sinceDayBegan} from organisations where id = ${organisationId}) as organisation on true
    cross join lateral (
      select coalesce(sum(${costUntilNow} + case when calls.ended_at is null and calls.answered_at is null
          and calls.direction = 'outbound' then ${costOfAnswer} else 0 end), 0)::bigint as micros,
        count(*) filter (where calls.ended_at is null) as live
      from calls
      where calls.organisation_id = m.organisation_id and calls.user_id = m.user_id
        and ${spentSince(sql`day_began`)}) as used
    where m.organisation_id = ${organisationId} and (m.call_minutes is not null or m.daily_spend is not null)
      and used.live > 0`.execute(tx);
  return rows;
}

/** Whether the organisation or one of its members has a daily spending limit or a highest price of its own. */
export async function hasLimitsOfPrice(tx: Tx, organisationId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from organisation_limits
      where organisation_id = ${organisationId} and num_nonnulls(daily_spend, rate_per_minute) > 0
    union all
    select 1 from member_limits
      where organisation_id = ${organisationId} and num_nonnulls(daily_spend, rate_per_minute) > 0
    limit 1`.execute(tx);
  return rows.length > 0;
}
