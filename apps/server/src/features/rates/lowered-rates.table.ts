import type { RateInput } from "@leadline/contract/rates";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

interface Carrier {
  organisationId: string;
  carrierId: string;
}

/** The rate that applies to a prefix on a day, or from today on; without the one that is left out. */
const applying = (
  { organisationId, carrierId }: Carrier,
  { prefix, day, without = null }: { prefix: RawBuilder<unknown>; day: RawBuilder<unknown>; without?: string | null },
) => sql`
  select r.* from generate_series(0, length(${prefix})) as digits
  join carrier_rates r on r.organisation_id = ${organisationId} and r.carrier_id = ${carrierId}
    and r.prefix = left(${prefix}, digits)
  where r.effective_from <= greatest(${day}, (
      select (clock_timestamp() at time zone time_zone)::date from organisations where id = ${organisationId}))
    and (${without}::uuid is null or r.id <> ${without}::uuid)
  order by digits desc, r.effective_from desc limit 1`;

/** At the same price, no call is billed fewer seconds only if each length that is billed in full was so before. */
const isLower = sql`(given.per_minute_micros < had.per_minute_micros
  or given.connection_fee_micros < had.connection_fee_micros
  or given.first_seconds < had.first_seconds
  or (given.first_seconds - had.first_seconds) % had.next_seconds <> 0
  or given.next_seconds % had.next_seconds <> 0)`;

/** Whether one of these would make a call cheaper than the rate that applies without them. */
export async function lowersRates(tx: Tx, of: Carrier, rates: readonly RateInput[]): Promise<boolean> {
  const column = <T>(read: (rate: RateInput) => T): T[] => rates.map(read);
  const { rows } = await sql<{ lowers: boolean }>`
    select exists (
      select from unnest(${column((rate) => rate.prefix)}::text[], ${column((rate) => rate.effectiveFrom)}::date[],
        ${column((rate) => rate.perMinuteMicros)}::bigint[], ${column((rate) => rate.connectionFeeMicros)}::bigint[],
        ${column((rate) => rate.firstSeconds)}::integer[], ${column((rate) => rate.nextSeconds)}::integer[]
      ) as given (prefix, effective_from, per_minute_micros, connection_fee_micros, first_seconds, next_seconds)
      cross join lateral (
        ${applying(of, { prefix: sql`given.prefix`, day: sql`given.effective_from` })}
      ) had
      where ${isLower}
    ) as lowers`.execute(tx);
  return rows[0]?.lowers ?? false;
}

/** Whether one of these would be the first that applies to its numbers. */
export async function addsFirstRates(tx: Tx, of: Carrier, rates: readonly RateInput[]): Promise<boolean> {
  const { rows } = await sql<{ adds: boolean }>`
    select exists (
      select from unnest(${rates.map((rate) => rate.prefix)}::text[], ${rates.map((rate) => rate.effectiveFrom)}::date[]
      ) as given (prefix, effective_from)
      where not exists (${applying(of, { prefix: sql`given.prefix`, day: sql`given.effective_from` })})
    ) as adds`.execute(tx);
  return rows[0]?.adds ?? false;
}

/** Whether calls would be cheaper, or cost nothing, without this rate. Null if there is no such rate. */
export async function removalLowersRates(
  tx: Tx,
  { organisationId, id }: { organisationId: string; id: string },
): Promise<boolean | null> {
  const { rows } = await sql<{ carrier_id: string; prefix: string; day: string; is_free: boolean }>`
    select carrier_id, prefix, to_char(effective_from, 'YYYY-MM-DD') as day,
      per_minute_micros = 0 and connection_fee_micros = 0 as is_free
    from carrier_rates where organisation_id = ${organisationId} and id = ${id}`.execute(tx);
  const [rate] = rows;
  if (rate === undefined) return null;
  const of = { organisationId, carrierId: rate.carrier_id };
  const { rows: found } = await sql<{ lowers: boolean }>`
    select ${isLower} as lowers
    from (${applying(of, { prefix: sql`${rate.prefix}::text`, day: sql`${rate.day}::date`, without: id })}) given
    join carrier_rates had on had.id = ${id}`.execute(tx);
  return found[0]?.lowers ?? !rate.is_free;
}
