import type {
  CostDifference,
  CostTotals,
  DifferenceKind,
  OtherCurrency,
  RecordSource,
} from "@leadline/contract/carrier-costs";
import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

interface Period {
  month: string;
  beganAt: string;
  endedAt: string;
}

/** A month in the organisation's time zone; null for the current one. */
export async function findPeriod(tx: Tx, organisationId: string, month: string | null): Promise<Period> {
  const { rows } = await sql<Period>`
    select to_char(first_day, 'YYYY-MM') as month, first_day at time zone time_zone as "beganAt",
      (first_day + interval '1 month') at time zone time_zone as "endedAt"
    from (
      select time_zone, coalesce(to_date(${month}::text, 'YYYY-MM'),
        date_trunc('month', clock_timestamp() at time zone time_zone)::date)::timestamp as first_day
      from organisations where id = ${organisationId}
    ) asked`.execute(tx);
  const period = rows[0];
  if (period === undefined) throw new Error("the organisation whose costs are read is not there");
  return period;
}

/** How long after its end a call may be without a priced record. */
const patience = sql`interval '1 hour'`;

const differing = (organisationId: string, { beganAt, endedAt }: Period) => sql`
  select 'differs' as kind, c.created_at as begun, c.call_sid as key, c.call_sid, c.phone_number, c.direction,
    c.carrier_connection_id as connection_id, c.duration_ms / 1000 as seconds, k.counted_micros, k.cost, k.currency,
    k.price_micros - k.counted_micros as difference
  from call_costs k join calls c on c.call_sid = k.call_sid
  where k.organisation_id = ${organisationId} and k.price_micros is distinct from k.counted_micros
    and c.created_at >= ${beganAt} and c.created_at < ${endedAt}`;

/** Calls whose records were read: through an account, after it was connected, and before its last reading. */
const withoutRecord = (organisationId: string, { beganAt, endedAt }: Period) => sql`
  select 'no-record' as kind, c.created_at as begun, c.call_sid as key, c.call_sid, c.phone_number, c.direction,
    c.carrier_connection_id as connection_id, c.duration_ms / 1000 as seconds, c.cost_micros as counted_micros,
    null::bigint as cost, null as currency, null::bigint as difference
  from carrier_record_cursors a
  join calls c on c.carrier_connection_id = a.connection_id and c.organisation_id = a.organisation_id
  where a.organisation_id = ${organisationId} and c.created_at >= a.began_at and c.duration_ms > 0
    and c.ended_at < a.read_to - ${patience}
    and c.created_at >= ${beganAt} and c.created_at < ${endedAt}
    and not exists (select 1 from call_costs k where k.call_sid = c.call_sid)`;

/** A record without cost and duration is a refused call. */
const withoutCall = (organisationId: string, { beganAt, endedAt }: Period) => sql`
  select 'no-call' as kind, r.began_at as begun, r.connection_id || ':' || r.record_id as key, null as call_sid,
    r.to_number as phone_number, null as direction, r.connection_id, r.seconds, null::bigint as counted_micros,
    r.cost, r.currency, null::bigint as difference
  from carrier_records r
  where r.organisation_id = ${organisationId} and r.call_sid is null and (r.seconds > 0 or r.cost > 0)
    and r.began_at >= ${beganAt} and r.began_at < ${endedAt}`;

const everyKind = { differs: differing, "no-record": withoutRecord, "no-call": withoutCall };

interface AskedDifferences {
  organisationId: string;
  period: Period;
  kind: DifferenceKind | null;
}

export interface DifferencesPage {
  /** The time and key of the previous page's last difference, joined by ~. */
  before: string | null;
  limit: number;
}

/** Newest first. */
export async function selectDifferences(
  tx: Tx,
  { organisationId, period, kind }: AskedDifferences,
  page: DifferencesPage,
): Promise<{ difference: CostDifference; cursor: string }[]> {
  const kinds = kind === null ? Object.values(everyKind) : [everyKind[kind]];
  const [moment, ...key] = (page.before ?? "").split("~");
  const { rows } = await sql<CostDifference & { cursor: string }>`
    select d.kind, d.key, d.begun as "begunAt", d.call_sid as "callSid", d.phone_number as "phoneNumber", d.direction,
      carriers.label as carrier, d.seconds, d.counted_micros as "countedMicros",
      case when d.cost is not null then json_build_object('micros', d.cost, 'currency', d.currency) end as "carrierCost",
      d.difference as "differenceMicros",
      to_char(d.begun at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '~' || d.key as cursor
    from (${sql.join(
      kinds.map((of) => of(organisationId, period)),
      sql` union all `,
    )}) d
    left join carriers on carriers.id = d.connection_id and carriers.organisation_id = ${organisationId}
    ${page.before === null ? sql`` : sql`where (d.begun, d.key) < (${moment}::timestamptz, ${key.join("~")})`}
    order by d.begun desc, d.key desc limit ${page.limit}`.execute(tx);
  return rows.map(({ cursor, ...difference }) => ({ difference, cursor }));
}

/** By currency. */
export async function selectOtherCurrencies(
  tx: Tx,
  organisationId: string,
  { beganAt, endedAt }: Omit<Period, "month">,
): Promise<OtherCurrency[]> {
  const { rows } = await sql<OtherCurrency>`
    select r.currency, sum(r.cost)::bigint as micros,
      coalesce(sum(r.cost) filter (where coalesce(c.cost_micros, 0) = 0), 0)::bigint as "uncountedMicros"
    from carrier_records r left join calls c on c.call_sid = r.call_sid and c.organisation_id = r.organisation_id
    where r.organisation_id = ${organisationId} and r.currency <> 'USD' and r.cost > 0
      and r.began_at >= ${beganAt} and r.began_at < ${endedAt}
    group by r.currency order by r.currency`.execute(tx);
  return rows;
}

export async function selectTotals(tx: Tx, organisationId: string, period: Period): Promise<CostTotals> {
  const { rows } = await sql<Omit<CostTotals, "otherCurrencies">>`
    select count(*) as "matchedCalls", coalesce(sum(k.counted_micros), 0)::bigint as "countedMicros",
      coalesce(sum(k.price_micros), 0)::bigint as "carrierMicros",
      count(*) filter (where k.price_micros is distinct from k.counted_micros) as differing,
      (select count(*) from (${withoutRecord(organisationId, period)}) n) as "withoutRecord",
      (select count(*) from (${withoutCall(organisationId, period)}) n) as "withoutCall"
    from call_costs k join calls c on c.call_sid = k.call_sid
    where k.organisation_id = ${organisationId}
      and c.created_at >= ${period.beganAt} and c.created_at < ${period.endedAt}`.execute(tx);
  const totals = rows[0];
  if (totals === undefined) throw new Error("a count without a row");
  return { ...totals, otherCurrencies: await selectOtherCurrencies(tx, organisationId, period) };
}

export async function selectSources(tx: Tx, organisationId: string): Promise<RecordSource[]> {
  return tx
    .selectFrom("carrier_accounts as a")
    .leftJoin("carrier_record_cursors as c", "c.account_id", "a.id")
    .select(["a.id as accountId", "a.label", "c.read_to as readAt", "c.failure"])
    .where("a.organisation_id", "=", organisationId)
    .where("a.connected_at", "is not", null)
    .where("a.state", "<>", "disconnecting")
    .orderBy("a.created_at")
    .orderBy("a.id")
    .execute();
}

/** Null if the organisation doesn't have this call. */
export async function findCallCost(
  tx: Tx,
  { organisationId, callSid }: { organisationId: string; callSid: string },
): Promise<{ carrierCost: CostDifference["carrierCost"]; countedMicros: number; chargedMicros: number } | null> {
  const row = await tx
    .selectFrom("calls as c")
    .leftJoin("call_costs as k", "k.call_sid", "c.call_sid")
    .select(["k.cost", "k.currency", "k.counted_micros", "c.cost_micros"])
    .where("c.organisation_id", "=", organisationId)
    .where("c.call_sid", "=", callSid)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { cost, currency } = row;
  return {
    carrierCost: cost === null || currency === null ? null : { micros: cost, currency },
    countedMicros: row.counted_micros ?? row.cost_micros,
    chargedMicros: row.cost_micros,
  };
}
