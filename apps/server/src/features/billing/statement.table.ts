import type { Statement, StatementDay, StatementNumber } from "@leadline/contract/billing";
import type { CallStatus, HangUpCause } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { teammateCarrier } from "@leadline/contract/transfers";
import { sql } from "kysely";
import { balanceOfOrganisation } from "../../db/balance-of-organisation.ts";
import { isUnpriced } from "../../db/cost-of-call.ts";
import { formerMember } from "../../db/person-name.ts";
import type { Tx } from "../../db/transaction.ts";
import { wholeSeconds } from "../../db/whole-seconds.ts";

/** A month in the organisation's time zone. */
interface AskedMonth {
  organisationId: string;
  /** YYYY-MM; null for the current month. */
  month: string | null;
}

interface Period {
  month: string;
  time_zone: string;
  balance: number;
  began_at: string;
  ended_at: string;
}

export async function findPeriod(tx: Tx, { organisationId, month }: AskedMonth): Promise<Period> {
  const { rows } = await sql<Period>`
    with asked as (
      select time_zone, ${balanceOfOrganisation} as balance,
        coalesce(to_date(${month}::text, 'YYYY-MM'),
          date_trunc('month', clock_timestamp() at time zone time_zone)::date)::timestamp as first_day
      from organisations where id = ${organisationId}
    )
    select to_char(first_day, 'YYYY-MM') as month, time_zone, balance,
      first_day at time zone time_zone as began_at,
      (first_day + interval '1 month') at time zone time_zone as ended_at
    from asked`.execute(tx);
  const period = rows[0];
  if (period === undefined) throw new Error("the organisation whose statement is read is not there");
  return period;
}

export async function selectDays(tx: Tx, organisationId: string, period: Period): Promise<StatementDay[]> {
  const { rows } = await sql<StatementDay>`
    select (created_at at time zone ${period.time_zone})::date as date, count(*) as calls,
      count(answered_at) as answered, coalesce(sum(${wholeSeconds}), 0)::bigint as "talkMs",
      coalesce(sum(cost_micros), 0)::bigint as "costMicros",
      count(*) filter (where ${isUnpriced} and ended_at is not null) as "unpricedCalls"
    from calls
    where organisation_id = ${organisationId} and created_at >= ${period.began_at} and created_at < ${period.ended_at}
      and carrier <> ${teammateCarrier}
    group by 1 order by 1 desc`.execute(tx);
  return rows;
}

export async function selectNumbers(tx: Tx, organisationId: string, period: Period): Promise<StatementNumber[]> {
  const rows = await tx
    .selectFrom("phone_numbers")
    .select(["id", "number", "acquired_at", "released_at", "monthly_cost"])
    .where("organisation_id", "=", organisationId)
    .where("acquired_at", "<", period.ended_at)
    .where((where) => where.or([where("released_at", "is", null), where("released_at", ">=", period.began_at)]))
    .orderBy("acquired_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    acquiredAt: row.acquired_at ?? period.began_at,
    releasedAt: row.released_at,
    monthlyCostMicros: row.monthly_cost,
  }));
}

export interface StatementCall {
  id: number;
  begunAt: string;
  who: string;
  phoneNumber: string;
  direction: Call["direction"];
  status: CallStatus;
  reason: HangUpCause["reason"] | null;
  seconds: number;
  carrier: string;
  costMicros: number;
  isUnpriced: boolean;
}

/** Oldest first, after the given call; times are in the organisation's time zone. */
export async function selectCalls(
  tx: Tx,
  organisationId: string,
  page: { period: Period; afterId: number; limit: number },
): Promise<StatementCall[]> {
  const { period, afterId, limit } = page;
  const { rows } = await sql<StatementCall>`
    select calls.id, to_char(calls.created_at at time zone ${period.time_zone}, 'YYYY-MM-DD HH24:MI:SS') as "begunAt",
      case when calls.user_id is null then '' else coalesce(trim(first_name || ' ' || last_name), ${formerMember}) end as who, phone_number as "phoneNumber", direction,
      status, reason,
      duration_ms / 1000 as seconds, carrier, cost_micros as "costMicros", ${isUnpriced} as "isUnpriced"
    from calls left join users on users.id = calls.user_id
    where calls.organisation_id = ${organisationId} and calls.id > ${afterId}
      and calls.created_at >= ${period.began_at} and calls.created_at < ${period.ended_at}
      and calls.carrier <> ${teammateCarrier}
    order by calls.id limit ${limit}`.execute(tx);
  return rows;
}

export type StatementHead = Pick<Statement, "month" | "timeZone" | "balanceMicros">;

export const headOf = (period: Period): StatementHead => ({
  month: period.month,
  timeZone: period.time_zone,
  balanceMicros: period.balance,
});
