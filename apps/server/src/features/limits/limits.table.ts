import type { Limits, UpdateLimitsInput } from "@leadline/contract/limits";
import { teammateCarrier } from "@leadline/contract/transfers";
import { sql } from "kysely";
import type { z } from "zod";
import { costOfAnswer, costUntilNow } from "../../db/cost-of-call.ts";
import type { Tx } from "../../db/transaction.ts";

/** Null: the default. */
export interface OrganisationLimitsTable {
  organisation_id: string;
  allowed_countries: string[] | null;
  concurrent_calls: number | null;
  calls_per_minute: number | null;
  /** Millionths of a US dollar. */
  daily_spend: number | null;
  call_minutes: number | null;
}

/** Wide enough for a team at work, narrow enough that a stolen session costs little. Countries: the default country alone. */
const defaults = { concurrentCalls: 10, callsPerMinute: 30, dailySpend: 50_000_000, callMinutes: 240 };

interface LimitsRow {
  allowed_countries: string[] | null;
  concurrent_calls: number | null;
  calls_per_minute: number | null;
  daily_spend: number | null;
  call_minutes: number | null;
  default_country: string;
  live: number;
  last_minute: number;
  spent_today: number;
  first_minutes: number;
}

export const readLimits = async (tx: Tx, organisationId: string): Promise<Limits> =>
  (await readLimitsWhileDialling(tx, organisationId)).limits;

/**
 * Counts with what is committed at this moment, and with the caller's own changes. `firstMinutes`, in millionths of a US
 * dollar: what the live calls that nobody has answered yet cost once they are.
 */
export async function readLimitsWhileDialling(
  tx: Tx,
  organisationId: string,
): Promise<{ limits: Limits; firstMinutes: number }> {
  const { rows } = await sql<LimitsRow>`
    with organisation as (
      select id, default_country,
        date_trunc('day', clock_timestamp() at time zone time_zone) at time zone time_zone as day_began
      from organisations where id = ${organisationId}
    )
    select default_country, allowed_countries, concurrent_calls, calls_per_minute, daily_spend, call_minutes,
      (select count(*) from calls where organisation_id = organisation.id and direction = 'outbound'
        and carrier <> ${teammateCarrier} and ended_at is null) as live,
      (select count(*) from calls where organisation_id = organisation.id and direction = 'outbound'
        and carrier <> ${teammateCarrier} and created_at > clock_timestamp() - interval '1 minute')
      + (select count(*) from call_transfers where organisation_id = organisation.id
        and not attended and member_id is null and asked_at > clock_timestamp() - interval '1 minute') as last_minute,
      (select coalesce(sum(${costUntilNow}), 0)::bigint from calls where organisation_id = organisation.id
        and (created_at >= day_began or ended_at is null)) as spent_today,
      (select coalesce(sum(${costOfAnswer}), 0)::bigint from calls where organisation_id = organisation.id
        and direction = 'outbound' and ended_at is null and answered_at is null) as first_minutes
    from organisation left join organisation_limits l on l.organisation_id = organisation.id`.execute(tx);
  const row = rows[0];
  if (row === undefined) throw new Error("the organisation whose limits are read is not there");
  const limits = {
    allowedCountries: row.allowed_countries ?? [row.default_country],
    concurrentCalls: row.concurrent_calls ?? defaults.concurrentCalls,
    callsPerMinute: row.calls_per_minute ?? defaults.callsPerMinute,
    dailySpend: row.daily_spend ?? defaults.dailySpend,
    callMinutes: row.call_minutes ?? defaults.callMinutes,
    used: { concurrentCalls: row.live, callsPerMinute: row.last_minute, dailySpend: row.spent_today },
  };
  return { limits, firstMinutes: row.first_minutes };
}

/** Until the transaction ends, the organisation's other calls wait with being counted. */
export async function takeTurnAtLimits(tx: Tx, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('limits:' || ${organisationId}, 0))`.execute(tx);
}

export async function writeLimits(
  tx: Tx,
  organisationId: string,
  change: z.output<typeof UpdateLimitsInput>,
): Promise<void> {
  const set = {
    ...(change.allowedCountries !== undefined && { allowed_countries: change.allowedCountries }),
    ...(change.concurrentCalls !== undefined && { concurrent_calls: change.concurrentCalls }),
    ...(change.callsPerMinute !== undefined && { calls_per_minute: change.callsPerMinute }),
    ...(change.dailySpend !== undefined && { daily_spend: change.dailySpend }),
    ...(change.callMinutes !== undefined && { call_minutes: change.callMinutes }),
  };
  if (Object.keys(set).length === 0) return;
  await tx
    .insertInto("organisation_limits")
    .values({ organisation_id: organisationId, ...set })
    .onConflict((conflict) => conflict.column("organisation_id").doUpdateSet(set))
    .execute();
}
