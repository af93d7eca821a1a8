import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface CallCostTable {
  call_sid: string;
  organisation_id: string;
  cost: number;
  currency: string;
  price_micros: number | null;
  counted_micros: number;
  corrections: number;
}

/** The cost of an ended call according to its records, if it differs from the stored one. */
export interface NewCost {
  callSid: string;
  cost: number;
  currency: string;
  /** The margin of the call's carrier when the call began, in percent. */
  marginPercent: number;
  chargedMicros: number;
  isPrepaid: boolean;
  /**
   * What the records say that a prepaid call cost at its own rate. Null unless a restart ended it, or resumed it
   * and its far end never responded, because nobody saw its end then.
   */
  unseenMicros: number | null;
  corrections: number;
}

/**
 * Oldest first. A call counts once all of its records are priced in one currency. Locks the organisation's costs until
 * the transaction ends.
 */
export async function lockNewCosts(
  tx: Tx,
  { organisationId, carrierId, limit }: { organisationId: string; carrierId: string; limit: number },
): Promise<NewCost[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended('call-costs:' || ${organisationId}, 0))`.execute(tx);
  const { rows } = await sql<NewCost>`
    select c.call_sid as "callSid", said.cost, said.currency, coalesce(c.margin_percent, carriers.margin_percent, 0) as "marginPercent",
      c.cost_micros as "chargedMicros", coalesce(known.corrections, 0) as corrections,
      exists (select 1 from ledger_holds h
        where h.organisation_id = c.organisation_id and h.key = 'call:' || c.call_sid) as "isPrepaid",
      case when c.reason = 'server-restarted' or c.resumed_unseen then
        case when said.seconds > 0 then cost_of_call(c.rate, said.seconds * 1000) else 0 end end as "unseenMicros"
    from (
      select call_sid, sum(cost)::bigint as cost, min(currency) as currency,
        -- A call that was tried at several carriers was answered at one.
        max(seconds) filter (where matched_by <> 'transfer') as seconds
      from carrier_records
      where call_sid in (
        select call_sid from carrier_records
        where organisation_id = ${organisationId} and connection_id = ${carrierId} and call_sid is not null
          and began_at > clock_timestamp() - interval '30 days')
      group by call_sid having every(cost is not null) and min(currency) = max(currency)
    ) said
    join calls c on c.call_sid = said.call_sid and c.organisation_id = ${organisationId} and c.ended_at is not null
    left join carriers on carriers.id = c.carrier_connection_id
    left join call_costs known on known.call_sid = said.call_sid
    where (known.cost, known.currency) is distinct from (said.cost, said.currency)
    order by c.id limit ${limit}`.execute(tx);
  return rows;
}

interface WrittenCost {
  callSid: string;
  cost: number;
  currency: string;
  priceMicros: number | null;
  /** The original charge, kept since the first correction. */
  countedMicros: number;
  corrections: number;
}

export async function writeCosts(tx: Tx, organisationId: string, costs: readonly WrittenCost[]): Promise<void> {
  if (costs.length === 0) return;
  await tx
    .insertInto("call_costs")
    .values(
      costs.map(({ callSid, cost, currency, priceMicros, countedMicros, corrections }) => ({
        call_sid: callSid,
        organisation_id: organisationId,
        cost,
        currency,
        price_micros: priceMicros,
        counted_micros: countedMicros,
        corrections,
      })),
    )
    .onConflict((conflict) =>
      conflict.column("call_sid").doUpdateSet((row) => ({
        cost: row.ref("excluded.cost"),
        currency: row.ref("excluded.currency"),
        price_micros: row.ref("excluded.price_micros"),
        corrections: row.ref("excluded.corrections"),
      })),
    )
    .execute();
}

/** Adds to each call's price what has been posted for it. */
export async function addToCosts(
  tx: Tx,
  organisationId: string,
  added: readonly { callSid: string; micros: number }[],
): Promise<void> {
  await sql`
    update calls set cost_micros = cost_micros + posted.micros, revision = revision + 1
    from unnest(${added.map(({ callSid }) => callSid)}::text[], ${added.map(({ micros }) => micros)}::bigint[])
      as posted (call_sid, micros)
    where calls.organisation_id = ${organisationId} and calls.call_sid = posted.call_sid`.execute(tx);
}
