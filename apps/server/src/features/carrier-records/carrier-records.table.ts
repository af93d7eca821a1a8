import type { CallRecord } from "@leadline/adapter-kit/provisioner";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface CarrierRecordTable {
  organisation_id: string;
  connection_id: string;
  record_id: string;
  carrier_call_id: string | null;
  from_number: string;
  to_number: string;
  began_at: string;
  seconds: number;
  cost: number | null;
  currency: string | null;
  call_sid: string | null;
  matched_by: "call-id" | "numbers" | "transfer" | null;
}

export interface CarrierRecordCursorTable {
  account_id: string;
  organisation_id: string;
  connection_id: string;
  began_at: string;
  read_to: string;
  reconciled_at: string | null;
  failure: string | null;
}

interface Account {
  id: string;
  organisationId: string;
  carrierId: string;
}

/** How far back to look for records that appear late: on every reading, and on the daily one. */
const overlaps = { usual: "6 hours", daily: "7 days" } as const;

/** The period to read now. It starts at the account's first reading, and once a day it reaches further back (`isDaily`). */
export async function openReading(
  tx: Tx,
  { id, organisationId, carrierId }: Account,
): Promise<{ since: string; until: string; isDaily: boolean }> {
  const { rows } = await sql<{ since: string; until: string; isDaily: boolean }>`
    with cursor as (
      insert into carrier_record_cursors (account_id, organisation_id, connection_id, began_at, read_to)
        select id, organisation_id, ${carrierId}::uuid, created_at, created_at from carrier_accounts
        where id = ${id} and organisation_id = ${organisationId}
      -- Returned in either case.
      on conflict (account_id) do update set connection_id = excluded.connection_id
      returning *
    )
    select greatest(began_at, read_to - case when is_daily then ${overlaps.daily} else ${overlaps.usual} end::interval) as since,
      clock_timestamp() as until, is_daily as "isDaily"
    from (
      select *, reconciled_at is null or reconciled_at < clock_timestamp() - interval '1 day' as is_daily from cursor
    ) c`.execute(tx);
  const reading = rows[0];
  if (reading === undefined) throw new Error("the account whose records are read is not there");
  return reading;
}

export async function closeReading(
  tx: Tx,
  { id, organisationId }: Pick<Account, "id" | "organisationId">,
  read: { until: string; isDaily: boolean } | { failure: string },
): Promise<void> {
  const now = sql<string>`clock_timestamp()`;
  await tx
    .updateTable("carrier_record_cursors")
    .set(
      "failure" in read
        ? { failure: read.failure }
        : { failure: null, read_to: read.until, ...(read.isDaily && { reconciled_at: now }) },
    )
    .where("account_id", "=", id)
    .where("organisation_id", "=", organisationId)
    .execute();
}

/** Replaces earlier versions of the same records. */
export async function putRecords(
  tx: Tx,
  { organisationId, carrierId }: Account,
  records: readonly CallRecord[],
): Promise<void> {
  if (records.length === 0) return;
  // One INSERT can't write a row twice: of duplicate records, the last one counts.
  const latest = new Map(records.map((record) => [record.id, record]));
  const numberless = await findNumberless(tx, { organisationId, carrierId }, [...latest.values()]);
  await tx
    .insertInto("carrier_records")
    .values(
      [...latest.values()].map((record) => ({
        organisation_id: organisationId,
        connection_id: carrierId,
        record_id: record.id,
        carrier_call_id: record.callId,
        from_number: numberless.has(record.id) ? "" : record.from,
        to_number: numberless.has(record.id) ? "" : record.to,
        began_at: record.startedAt,
        seconds: record.seconds,
        cost: record.micros,
        currency: record.currency,
        call_sid: null,
        matched_by: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["organisation_id", "connection_id", "record_id"]).doUpdateSet((row) => ({
        seconds: row.ref("excluded.seconds"),
        cost: sql<number | null>`coalesce(excluded.cost, carrier_records.cost)`,
        currency: sql<string | null>`coalesce(excluded.currency, carrier_records.currency)`,
      })),
    )
    .execute();
}

/** How far a carrier's clock may differ from ours, including the time that a call waits before it is sent. */
const clockTolerance = "2 minutes";

const recordsLock = (organisationId: string) => sql`hashtextextended('carrier-records:' || ${organisationId}, 0)`;

/** Waits for records that are being stored, and stores no others until the transaction ends. */
export async function lockRecords(tx: Tx, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${recordsLock(organisationId)})`.execute(tx);
}

/**
 * The ids of records that are stored without numbers: those from before an erasure whose numbers no call or transfer has
 * any more, because they can be the erased person's.
 */
async function findNumberless(
  tx: Tx,
  { organisationId, carrierId }: Omit<Account, "id">,
  records: readonly CallRecord[],
): Promise<ReadonlySet<string>> {
  await sql`select pg_advisory_xact_lock_shared(${recordsLock(organisationId)})`.execute(tx);
  const column = <T>(read: (record: CallRecord) => T): T[] => records.map(read);
  const hasNumber = sql`phone_number <> '' and ltrim(phone_number, '+') in (ltrim(r.from_number, '+'), ltrim(r.to_number, '+'))`;
  const isThen = (time: RawBuilder<unknown>) => sql`${time} between r.began_at - ${clockTolerance}::interval
    and r.began_at + ${clockTolerance}::interval`;
  const { rows } = await sql<{ id: string }>`
    select r.id from unnest(${column(({ id }) => id)}::text[], ${column(({ from }) => from)}::text[],
      ${column(({ to }) => to)}::text[], ${column(({ startedAt }) => startedAt)}::timestamptz[]
    ) as r (id, from_number, to_number, began_at)
    where exists (
        select from erased_leads where organisation_id = ${organisationId} and erased_at > r.began_at)
      and not exists (
        select from calls where organisation_id = ${organisationId} and carrier_connection_id = ${carrierId}
          and ${isThen(sql`created_at`)} and ${hasNumber})
      and not exists (
        select from call_transfers where organisation_id = ${organisationId} and ${isThen(sql`asked_at`)} and ${hasNumber})`.execute(
    tx,
  );
  return new Set(rows.map((row) => row.id));
}

/** Matches records to calls by the identifiers in the carrier's SIP headers. */
export async function matchByCallId(tx: Tx, { organisationId, carrierId }: Account): Promise<void> {
  await sql`
    update carrier_records r set call_sid = l.call_sid, matched_by = 'call-id'
    from carrier_legs l
    where r.organisation_id = ${organisationId} and r.connection_id = ${carrierId} and r.call_sid is null
      and l.organisation_id = r.organisation_id and l.connection_id = r.connection_id
      and l.carrier_call_id = r.carrier_call_id`.execute(tx);
}

const longestLate = "30 days";

/**
 * Matches the remaining records to calls with the same number, if the record or the call has no identifier: pairs each record with the call
 * nearest in time, one to one. Returns false if there are none. Another round may match the rest. An erased call and its record
 * have the same number, too: none.
 */
export async function matchByNumbers(tx: Tx, { organisationId, carrierId }: Account): Promise<boolean> {
  const matched = await sql`
    with pairs as (
      select r.record_id, c.call_sid, abs(extract(epoch from c.created_at - r.began_at)) as seconds
      from carrier_records r
      join calls c on c.organisation_id = r.organisation_id and c.carrier_connection_id = r.connection_id
        and c.created_at between r.began_at - ${clockTolerance}::interval and r.began_at + ${clockTolerance}::interval
        and ltrim(c.phone_number, '+') = ltrim(case c.direction when 'inbound' then r.from_number else r.to_number end, '+')
      where r.organisation_id = ${organisationId} and r.connection_id = ${carrierId} and r.call_sid is null
        and r.began_at > clock_timestamp() - ${longestLate}::interval
        and not exists (
          select 1 from carrier_records o where o.call_sid = c.call_sid
            and (o.matched_by = 'numbers' or o.matched_by = 'call-id' and o.connection_id = r.connection_id))
        and (r.carrier_call_id is null or not exists (
          select 1 from carrier_legs l where l.call_sid = c.call_sid and l.connection_id = r.connection_id))
    )
    update carrier_records r set call_sid = of_record.call_sid, matched_by = 'numbers'
    from (select distinct on (record_id) * from pairs order by record_id, seconds, call_sid) of_record
    join (select distinct on (call_sid) * from pairs order by call_sid, seconds, record_id) of_call
      on of_call.record_id = of_record.record_id and of_call.call_sid = of_record.call_sid
    where r.organisation_id = ${organisationId} and r.connection_id = ${carrierId}
      and r.record_id = of_record.record_id`.execute(tx);
  return Number(matched.numAffectedRows ?? 0) > 0;
}

/**
 * Matches the rest with the targets of transfers that the carrier carried out, nearest in time, one to one: what such a
 * record costs is a cost of the call that was transferred.
 */
export async function matchTransfers(tx: Tx, { organisationId, carrierId }: Account): Promise<void> {
  await sql`
    with pairs as (
      select r.record_id, t.id, t.call_sid, abs(extract(epoch from t.asked_at - r.began_at)) as seconds
      from carrier_records r
      join call_transfers t on t.organisation_id = r.organisation_id
        and t.asked_at between r.began_at - ${clockTolerance}::interval and r.began_at + ${clockTolerance}::interval
        and ltrim(t.phone_number, '+') = ltrim(r.to_number, '+')
        and not t.bridged and not t.attended and t.member_id is null
        and not exists (
          select 1 from carrier_records o where o.call_sid = t.call_sid and o.matched_by = 'transfer'
            and ltrim(o.to_number, '+') = ltrim(t.phone_number, '+'))
      join calls c on c.call_sid = t.call_sid and c.carrier_connection_id = r.connection_id
      where r.organisation_id = ${organisationId} and r.connection_id = ${carrierId} and r.call_sid is null
        and r.began_at > clock_timestamp() - ${longestLate}::interval
    )
    update carrier_records r set call_sid = of_record.call_sid, matched_by = 'transfer'
    from (select distinct on (record_id) * from pairs order by record_id, seconds, id) of_record
    join (select distinct on (id) * from pairs order by id, seconds, record_id) of_transfer
      on of_transfer.record_id = of_record.record_id and of_transfer.id = of_record.id
    where r.organisation_id = ${organisationId} and r.connection_id = ${carrierId}
      and r.record_id = of_record.record_id`.execute(tx);
}

/** Whether the records of the organisation's carrier are read, so that they settle what its calls cost. */
export async function hasRecords(tx: Tx, { organisationId, carrierId }: Omit<Account, "id">): Promise<boolean> {
  const row = await tx
    .selectFrom("carrier_record_cursors")
    .select("account_id")
    .where("organisation_id", "=", organisationId)
    .where("connection_id", "=", carrierId)
    .executeTakeFirst();
  return row !== undefined;
}
