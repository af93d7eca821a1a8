import type { CallRate, Rate, RateInput } from "@leadline/contract/rates";
import { type Generated, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface CarrierRateTable {
  id: Generated<string>;
  organisation_id: string;
  carrier_id: string;
  /** The first digits of a number; empty for all numbers. */
  prefix: string;
  description: string;
  /** In the organisation's time zone. */
  effective_from: string;
  /** Millionths of a US dollar, without the margin. */
  per_minute_micros: number;
  connection_fee_micros: number;
  first_seconds: number;
  next_seconds: number;
  from_carrier: Generated<boolean>;
  /** When the carrier's API last returned it. */
  read_at: string | null;
}

interface Carrier {
  organisationId: string;
  carrierId: string;
}

const rateColumns = sql`id, prefix, description, to_char(effective_from, 'YYYY-MM-DD') as "effectiveFrom",
  per_minute_micros as "perMinuteMicros", connection_fee_micros as "connectionFeeMicros",
  first_seconds as "firstSeconds", next_seconds as "nextSeconds", from_carrier as "fromCarrier"`;

/** Locks the carrier's rates until the transaction ends. Returns its label, or null if the organisation has no such carrier. */
export async function lockRates(tx: Tx, { organisationId, carrierId }: Carrier): Promise<string | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended('rates:' || ${carrierId}, 0))`.execute(tx);
  const row = await tx
    .selectFrom("carriers")
    .select("label")
    .where("organisation_id", "=", organisationId)
    .where("id", "=", carrierId)
    .executeTakeFirst();
  return row?.label ?? null;
}

/** In percent. Null if the organisation has no such carrier. */
export async function findMargin(tx: Tx, { organisationId, carrierId }: Carrier): Promise<number | null> {
  const row = await tx
    .selectFrom("carriers")
    .select("margin_percent")
    .where("organisation_id", "=", organisationId)
    .where("id", "=", carrierId)
    .executeTakeFirst();
  return row?.margin_percent ?? null;
}

/** Returns the carrier's label. */
export async function writeMargin(tx: Tx, { organisationId, carrierId }: Carrier, percent: number): Promise<string> {
  const { label } = await tx
    .updateTable("carriers")
    .set({ margin_percent: percent })
    .where("organisation_id", "=", organisationId)
    .where("id", "=", carrierId)
    .returning("label")
    .executeTakeFirstOrThrow();
  return label;
}

export interface RateInForce extends CallRate {
  description: string;
  marginPercent: number;
}

/** The rate of the longest prefix in force today, without the margin. */
export async function findRateInForce(
  tx: Tx,
  { organisationId, carrierId, phoneNumber }: Carrier & { phoneNumber: string },
): Promise<RateInForce | null> {
  const digits = phoneNumber.replace(/^\+/, "");
  const prefixes = Array.from({ length: Math.min(digits.length, 15) + 1 }, (_, length) => digits.slice(0, length));
  const { rows } = await sql<RateInForce>`
    select r.per_minute_micros as "perMinuteMicros", r.connection_fee_micros as "connectionFeeMicros",
      r.first_seconds as "firstSeconds", r.next_seconds as "nextSeconds", r.description,
      c.margin_percent as "marginPercent"
    from carrier_rates r
    join carriers c on c.id = r.carrier_id and c.organisation_id = r.organisation_id
    join organisations o on o.id = r.organisation_id
    where r.organisation_id = ${organisationId} and r.carrier_id = ${carrierId}
      and r.prefix = any(${prefixes}::text[])
      and r.effective_from <= (clock_timestamp() at time zone o.time_zone)::date
    order by length(r.prefix) desc, r.effective_from desc limit 1`.execute(tx);
  return rows[0] ?? null;
}

interface RatesPage {
  /** The first digits, or part of the destination. */
  search: string | null;
  /** The last rate of the previous page. */
  after: string | null;
  limit: number;
}

/** By prefix, the newest of each first. */
export async function selectRates(tx: Tx, of: Carrier, page: RatesPage): Promise<Rate[]> {
  const { search, after, limit } = page;
  const searched =
    search === null
      ? sql``
      : /^[\d\s+()-]+$/.test(search)
        ? sql`and starts_with(prefix, ${search.replaceAll(/\D/g, "")})`
        : sql`and strpos(lower(description), ${search.toLowerCase()}) > 0`;
  const { rows } = await sql<Rate>`
    select ${rateColumns} from carrier_rates
    where organisation_id = ${of.organisationId} and carrier_id = ${of.carrierId}
      ${searched}
      ${
        after === null
          ? sql``
          : sql`and (prefix, -(effective_from - '2000-01-01'::date)) > (
        select prefix, -(effective_from - '2000-01-01'::date) from carrier_rates
        where organisation_id = ${of.organisationId} and carrier_id = ${of.carrierId} and id = ${after})`
      }
    order by prefix, effective_from desc limit ${limit}`.execute(tx);
  return rows;
}

export async function countRates(tx: Tx, { organisationId, carrierId }: Carrier): Promise<number> {
  const row = await tx
    .selectFrom("carrier_rates")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organisation_id", "=", organisationId)
    .where("carrier_id", "=", carrierId)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Replaces those with the same prefix and date. */
export async function putRates(
  tx: Tx,
  of: Carrier,
  rates: readonly RateInput[],
  { fromCarrier }: { fromCarrier: boolean },
): Promise<Rate[]> {
  const column = <T>(read: (rate: RateInput) => T): T[] => rates.map(read);
  const { rows } = await sql<Rate>`
    insert into carrier_rates (organisation_id, carrier_id, prefix, description, effective_from, per_minute_micros,
      connection_fee_micros, first_seconds, next_seconds, from_carrier, read_at)
    select ${of.organisationId}::uuid, ${of.carrierId}::uuid, given.*, ${fromCarrier}::boolean,
      case when ${fromCarrier}::boolean then clock_timestamp() end
    from unnest(${column((rate) => rate.prefix)}::text[], ${column((rate) => rate.description)}::text[],
      ${column((rate) => rate.effectiveFrom)}::date[], ${column((rate) => rate.perMinuteMicros)}::bigint[],
      ${column((rate) => rate.connectionFeeMicros)}::bigint[], ${column((rate) => rate.firstSeconds)}::integer[],
      ${column((rate) => rate.nextSeconds)}::integer[]) as given
    on conflict (organisation_id, carrier_id, prefix, effective_from) do update set
      description = excluded.description, per_minute_micros = excluded.per_minute_micros,
      connection_fee_micros = excluded.connection_fee_micros, first_seconds = excluded.first_seconds,
      next_seconds = excluded.next_seconds, from_carrier = excluded.from_carrier, read_at = excluded.read_at
    returning ${rateColumns}`.execute(tx);
  return rows;
}

/** Those of these prefixes that have an entered or imported rate in force on a day. */
export async function selectTypedPrefixes(
  tx: Tx,
  { organisationId, carrierId }: Carrier,
  { prefixes, day }: { prefixes: readonly string[]; day: string },
): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom("carrier_rates")
    .select("prefix")
    .distinct()
    .where("organisation_id", "=", organisationId)
    .where("carrier_id", "=", carrierId)
    .where("from_carrier", "=", false)
    .where(sql<boolean>`prefix = any(${prefixes}::text[])`)
    .where("effective_from", "<=", day)
    .execute();
  return new Set(rows.map(({ prefix }) => prefix));
}

/** Deletes earlier rates from the carrier's API for these prefixes, and returns them. */
export async function deleteReadRates(
  tx: Tx,
  { organisationId, carrierId }: Carrier,
  prefixes: readonly string[],
): Promise<Rate[]> {
  const { rows } = await sql<Rate>`
    delete from carrier_rates where organisation_id = ${organisationId} and carrier_id = ${carrierId}
      and from_carrier and prefix = any(${prefixes}::text[])
    returning ${rateColumns}`.execute(tx);
  return rows;
}

/** Returns the carrier's label, or null if there is no such rate. */
export async function deleteRate(
  tx: Tx,
  { organisationId, id }: { organisationId: string; id: string },
): Promise<string | null> {
  const { rows } = await sql<{ label: string }>`
    delete from carrier_rates r using carriers c
    where r.organisation_id = ${organisationId} and r.id = ${id} and c.id = r.carrier_id
      and c.organisation_id = r.organisation_id
    returning c.label`.execute(tx);
  return rows[0]?.label ?? null;
}
