import type { BillingSummary, EntryKind, StatementEntry } from "@leadline/contract/billing";
import { sql } from "kysely";
import { formerMember } from "../../db/person-name.ts";
import type { Tx } from "../../db/transaction.ts";

export interface EntriesAsked {
  organisationId: string;
  /** YYYY-MM, in the organisation's time zone; null for all months. */
  month: string | null;
  kind: EntryKind | null;
  /** YYYY-MM-DD, the first and the last day of the month to list, in the same time zone; null for the month's own. */
  from: string | null;
  to: string | null;
}

interface EntriesPage {
  /** The id of the previous page's last entry; null for the first page. */
  before: number | null;
  limit: number;
}

/** Newest first, older than the given entry. */
export async function selectEntries(tx: Tx, asked: EntriesAsked, page: EntriesPage): Promise<StatementEntry[]> {
  const { organisationId, month, kind, from, to } = asked;
  const conditions = [
    sql`t.organisation_id = ${organisationId}`,
    ...(page.before === null
      ? []
      : [sql`(t.posted_at, t.id) < (select posted_at, id from ledger_transfers where id = ${page.before})`]),
    ...(month === null ? [] : [sql`t.posted_at >= ${dayBegins(organisationId, `${month}-01`)}`]),
    ...(month === null ? [] : [sql`t.posted_at < ${dayBegins(organisationId, `${month}-01`, "1 month")}`]),
    ...(from === null ? [] : [sql`t.posted_at >= ${dayBegins(organisationId, from)}`]),
    ...(to === null ? [] : [sql`t.posted_at < ${dayBegins(organisationId, to, "1 day")}`]),
    // Written out as a literal, so that the planner can choose the partial index of this kind.
    ...(kind === null ? [] : [sql`t.kind = ${sql.lit(kind)}`]),
  ];
  const { rows } = await sql<StatementEntry>`
    select t.id, t.posted_at as "postedAt", t.kind,
      case when to_account in ('costs', 'adjustments', 'payments') then -amount else amount end as "amountMicros",
      case when 'balance' in (from_account, to_account) then 'balance'
        when 'metered' in (from_account, to_account) then 'carrier' else 'write-off' end as account,
      case when from_account in ('balance', 'metered', 'write-off') then from_balance else to_balance end as "runningMicros",
      t.call_sid as "callSid", coalesce(nullif(calls.phone_number, ''), numbers.number) as "phoneNumber",
      case when calls.user_id is not null then coalesce(trim(first_name || ' ' || last_name), ${formerMember}) end as "userName"
    from (
      select * from ledger_transfers t where ${sql.join(conditions, sql` and `)}
      order by t.posted_at desc, t.id desc limit ${page.limit}
    ) t
    left join calls on calls.call_sid = t.call_sid and calls.organisation_id = t.organisation_id
    left join phone_numbers numbers on t.kind = 'number' and numbers.organisation_id = t.organisation_id
      and numbers.id::text = split_part(t.key, ':', 2)
    left join users on users.id = calls.user_id
    order by t.posted_at desc, t.id desc`.execute(tx);
  return rows;
}

/** The start of a day, or of one so much later, in the organisation's time zone. */
const dayBegins = (organisationId: string, day: string, later: "0 days" | "1 day" | "1 month" = "0 days") => sql`(
  select (${day}::date + ${later}::interval) at time zone time_zone
  from organisations where id = ${organisationId})`;

/** Sums costs as the account's balance less its balance when the month began, which reads only one older entry. */
export async function selectSummary(tx: Tx, organisationId: string): Promise<BillingSummary> {
  const { rows } = await sql<BillingSummary>`
    with organisation as (
      select id, billing_mode, date_trunc('month', clock_timestamp() at time zone time_zone) as first_day, time_zone
      from organisations where id = ${organisationId}
    )
    select billing_mode as mode, own.balance as "balanceMicros", own.held as "heldMicros",
      to_char(first_day, 'YYYY-MM') as month,
      costs.balance - coalesce((
        select case when to_account = 'costs' then to_balance else from_balance end
        from ledger_transfers t
        where t.organisation_id = organisation.id and t.posted_at < first_day at time zone time_zone
          and (to_account = 'costs' or from_account = 'costs')
        order by t.posted_at desc, t.id desc limit 1), 0) as "monthCostMicros"
    from organisation
    join ledger_accounts own on own.organisation_id = organisation.id and own.account = 'balance'
    join ledger_accounts costs on costs.organisation_id = organisation.id and costs.account = 'costs'`.execute(tx);
  const summary = rows[0];
  if (summary === undefined) throw new Error("the organisation whose balance is read is not there");
  return summary;
}

export async function writeBillingMode(tx: Tx, organisationId: string, mode: BillingSummary["mode"]): Promise<void> {
  await tx.updateTable("organisations").set({ billing_mode: mode }).where("id", "=", organisationId).execute();
}
