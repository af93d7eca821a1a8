import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

export interface NumberKey {
  organisationId: string;
  id: string;
}

/** How long a number is kept after a renewal that the balance didn't cover. */
export const graceDays = 7;
/** How long before a renewal its owners are notified. */
const noticeDays = 7;

/** The database's clock, unless a test gives a time. */
const moment = (at: string | null) => sql`coalesce(${at}::timestamptz, clock_timestamp())`;
/**
 * Counts months from the purchase date in the organisation's time zone; a number bought on the 31st renews on the last
 * day of shorter months.
 */
const renewsOn = sql`((n.acquired_at at time zone o.time_zone)::date + make_interval(months => n.paid_periods))::date`;
const today = (at: string | null) => sql`(${moment(at)} at time zone o.time_zone)::date`;
const held = sql`phone_numbers n join organisations o on o.id = n.organisation_id
  and n.state = 'owned' and o.deleted_at is null`;
/** Without those of an account, which its carrier bills. */
const heldHere = sql`${held} and n.account_id is null`;

/** Numbers of all organisations whose next month has begun, longest due first. Needs the system scope. */
export async function selectDue(tx: Tx, at: string | null): Promise<NumberKey[]> {
  const { rows } = await sql<NumberKey>`
    select n.id, n.organisation_id as "organisationId" from ${held}
    where ${renewsOn} <= ${today(at)} order by ${renewsOn}, n.id`.execute(tx);
  return rows;
}

interface DueNumber extends NumberKey {
  period: number;
  costMicros: number;
  isPrepaid: boolean;
  /** Its carrier bills it. */
  isOfAccount: boolean;
  isCovered: boolean;
  isUnpaid: boolean;
  isGraceOver: boolean;
}

/** Null if it isn't due. Locks the renewal until the transaction ends. */
export async function lockDue(tx: Tx, { organisationId, id }: NumberKey, at: string | null): Promise<DueNumber | null> {
  const { rows } = await sql<DueNumber>`
    select n.id, n.organisation_id as "organisationId", n.paid_periods as period,
      coalesce(n.monthly_cost, 0)::bigint as "costMicros", o.billing_mode = 'prepaid' as "isPrepaid",
      n.account_id is not null as "isOfAccount",
      n.account_id is not null or coalesce(n.monthly_cost, 0) <= greatest(a.balance - a.held, 0) as "isCovered",
      n.unpaid_since is not null as "isUnpaid",
      coalesce(n.unpaid_since + make_interval(days => ${graceDays}) <= ${moment(at)}, false) as "isGraceOver"
    from ${held} join ledger_accounts a on a.organisation_id = o.id and a.account = 'balance'
    where n.organisation_id = ${organisationId} and n.id = ${id} and ${renewsOn} <= ${today(at)}
    for update of n`.execute(tx);
  return rows[0] ?? null;
}

export async function markPaid(tx: Tx, { organisationId, id, period }: NumberKey & { period: number }): Promise<void> {
  await tx
    .updateTable("phone_numbers")
    .set({ paid_periods: period + 1, unpaid_since: null })
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .execute();
}

export async function markUnpaid(tx: Tx, { organisationId, id }: NumberKey, at: string | null): Promise<void> {
  await tx
    .updateTable("phone_numbers")
    .set({ unpaid_since: sql<string>`${moment(at)}` })
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .execute();
}

interface Receiver {
  organisationId: string;
  userId: string;
}

export async function selectReceivers(tx: Tx, organisationId: string): Promise<Receiver[]> {
  return tx
    .selectFrom("memberships")
    .select(["organisation_id as organisationId", "user_id as userId"])
    .where("organisation_id", "=", organisationId)
    .where("role", "in", ["owner", "admin"])
    .execute();
}

/** Numbers of prepaid organisations that renew soon, once per month each. Needs the system scope. */
export async function takeUpcoming(tx: Tx, at: string | null): Promise<NumberKey[]> {
  const { rows } = await sql<NumberKey>`
    update phone_numbers set noticed_period = paid_periods
    where id in (
      select n.id from ${heldHere}
      where o.billing_mode = 'prepaid' and n.noticed_period is distinct from n.paid_periods and n.monthly_cost > 0
        and ${renewsOn} > ${today(at)} and ${renewsOn} <= ${today(at)} + ${noticeDays}::integer
      for update of n skip locked)
    returning id, organisation_id as "organisationId"`.execute(tx);
  return rows;
}

export interface Renewal {
  id: string;
  number: string;
  costMicros: number;
  /** YYYY-MM-DD. */
  renewsOn: string;
  /** The day on which the number is released, if the balance didn't cover its renewal. */
  releaseOn: string | null;
}

/** A prepaid organisation's renewals, the next one first. Empty for a metered one. */
export async function selectRenewals(tx: Tx, organisationId: string): Promise<Renewal[]> {
  const { rows } = await sql<Renewal>`
    select n.id, n.number, coalesce(n.monthly_cost, 0)::bigint as "costMicros",
      to_char(${renewsOn}, 'YYYY-MM-DD') as "renewsOn",
      to_char(((n.unpaid_since + make_interval(days => ${graceDays})) at time zone o.time_zone)::date, 'YYYY-MM-DD') as "releaseOn"
    from ${heldHere}
    where n.organisation_id = ${organisationId} and o.billing_mode = 'prepaid'
    order by ${renewsOn}, n.id`.execute(tx);
  return rows;
}

/** The sum of renewals due within the notice period, and whether the balance covers it. */
export async function sumDueSoon(tx: Tx, organisationId: string): Promise<{ micros: number; isCovered: boolean }> {
  const { rows } = await sql<{ micros: number; isCovered: boolean }>`
    select coalesce(sum(due.monthly_cost), 0)::bigint as micros,
      coalesce(sum(due.monthly_cost), 0) <= greatest(a.balance - a.held, 0) as "isCovered"
    from ledger_accounts a
    left join (
      select n.monthly_cost from ${heldHere}
      where n.organisation_id = ${organisationId} and o.billing_mode = 'prepaid'
        and ${renewsOn} <= ${today(null)} + ${noticeDays}::integer
    ) due on true
    where a.organisation_id = ${organisationId} and a.account = 'balance'
    group by a.balance, a.held`.execute(tx);
  return rows[0] ?? { micros: 0, isCovered: true };
}

interface MailedRenewals {
  email: string;
  firstName: string;
  organisationName: string;
  availableMicros: number;
}

/** Null if the person is no longer an owner or admin of the organisation. */
export async function findReceiver(tx: Tx, { organisationId, userId }: Receiver): Promise<MailedRenewals | null> {
  const { rows } = await sql<MailedRenewals>`
    select u.email, u.first_name as "firstName", o.name as "organisationName",
      (a.balance - a.held)::bigint as "availableMicros"
    from memberships m join users u on u.id = m.user_id join organisations o on o.id = m.organisation_id
    join ledger_accounts a on a.organisation_id = o.id and a.account = 'balance'
    where m.organisation_id = ${organisationId} and m.user_id = ${userId} and m.role in ('owner', 'admin')
      and o.deleted_at is null`.execute(tx);
  return rows[0] ?? null;
}

export async function selectNumbers(
  tx: Tx,
  { organisationId, ids }: { organisationId: string; ids: readonly string[] },
): Promise<string[]> {
  const rows = await tx
    .selectFrom("phone_numbers")
    .select("number")
    .where("organisation_id", "=", organisationId)
    .where("id", "in", ids)
    .orderBy("number")
    .execute();
  return rows.map(({ number }) => number);
}
