import type { BalanceSettings } from "@leadline/contract/top-ups";
import { type Generated, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

export interface BalanceSettingsTable {
  organisation_id: string;
  /** Millionths of a US dollar, as in the rest of this file. */
  low_below: number | null;
  is_low: Generated<boolean>;
  top_up_below: number | null;
  top_up_amount: number | null;
  month_limit: number | null;
  saved_provider: string | null;
  saved_method: string | null;
  saved_method_name: string | null;
  paused_why: string | null;
  pause_mailed_at: string | null;
}

export interface StoredBalanceSettings extends Pick<
  BalanceSettings,
  "lowBelowMicros" | "automatic" | "pausedWhy" | "addedThisMonthMicros"
> {
  saved: { provider: string; id: string; name: string } | null;
}

/** This month's automatic top-ups that are paid or may still be. In UTC: a change of the time zone must not begin a month. */
const addedThisMonth = sql<number>`(
  select coalesce(sum(t.amount), 0)::bigint from top_ups t
  where t.organisation_id = o.id and t.saved_method is not null and t.state in ('starting', 'open', 'paid')
    and t.created_at >= date_trunc('month', clock_timestamp(), 'UTC'))`;

export async function readBalanceSettings(tx: Tx, organisationId: string): Promise<StoredBalanceSettings> {
  const row = await tx
    .selectFrom("organisations as o")
    .leftJoin("balance_settings as s", "s.organisation_id", "o.id")
    .select(["low_below", "top_up_below", "top_up_amount", "month_limit"])
    .select(["saved_provider", "saved_method", "saved_method_name", "paused_why"])
    .select(addedThisMonth.as("added"))
    .where("o.id", "=", organisationId)
    .executeTakeFirstOrThrow();
  const { top_up_below, top_up_amount, month_limit, saved_provider, saved_method } = row;
  return {
    lowBelowMicros: row.low_below,
    automatic:
      top_up_below === null || top_up_amount === null || month_limit === null
        ? null
        : { belowMicros: top_up_below, amountMicros: top_up_amount, monthLimitMicros: month_limit },
    saved:
      saved_provider === null || saved_method === null
        ? null
        : { provider: saved_provider, id: saved_method, name: row.saved_method_name ?? "Saved payment method" },
    pausedWhy: row.paused_why,
    addedThisMonthMicros: row.added,
  };
}

type Columns = Partial<Omit<BalanceSettingsTable, "organisation_id" | "is_low"> & { is_low: boolean }>;

async function put(tx: Tx, organisationId: string, set: Columns): Promise<void> {
  if (Object.keys(set).length === 0) return;
  await tx
    .insertInto("balance_settings")
    .values({ organisation_id: organisationId, ...set })
    .onConflict((conflict) => conflict.column("organisation_id").doUpdateSet(set))
    .execute();
}

/** Undefined fields stay unchanged. A new threshold can be undercut again. Changing automatic top-ups resumes them. */
export const writeBalanceSettings = (
  tx: Tx,
  organisationId: string,
  change: { lowBelowMicros?: number | null | undefined; automatic?: BalanceSettings["automatic"] | undefined },
): Promise<void> =>
  put(tx, organisationId, {
    ...(change.lowBelowMicros !== undefined && { low_below: change.lowBelowMicros, is_low: false }),
    ...(change.automatic !== undefined && {
      top_up_below: change.automatic?.belowMicros ?? null,
      top_up_amount: change.automatic?.amountMicros ?? null,
      month_limit: change.automatic?.monthLimitMicros ?? null,
      paused_why: null,
      pause_mailed_at: null,
    }),
  });

/** Replaces the previous one. Automatic top-ups that are paused stay so: resuming them requires the password. */
export const saveMethod = (
  tx: Tx,
  organisationId: string,
  { provider, id, name }: { provider: string; id: string; name: string | null },
): Promise<void> => put(tx, organisationId, { saved_provider: provider, saved_method: id, saved_method_name: name });

export const forgetMethod = (tx: Tx, organisationId: string): Promise<void> =>
  put(tx, organisationId, { saved_provider: null, saved_method: null, saved_method_name: null });

/** If they are on, until somebody changes the settings. Owners are mailed. */
export async function pauseAutomatic(tx: Tx, organisationId: string, why: string): Promise<void> {
  await tx
    .updateTable("balance_settings")
    .set({ paused_why: why, pause_mailed_at: null })
    .where("organisation_id", "=", organisationId)
    .where("top_up_below", "is not", null)
    .where("paused_why", "is", null)
    .execute();
}

export interface DueTopUp {
  organisationId: string;
  organisationName: string;
  /** In whose name it is charged. */
  ownerId: string | null;
  savedMethod: string;
  amountMicros: number;
}

/**
 * Prepaid organisations with a balance below their threshold and no top-up in progress. All organisations need the
 * system scope.
 */
export async function selectDueTopUps(
  tx: Tx,
  { provider, organisationId }: { provider: string; organisationId: string | null },
): Promise<DueTopUp[]> {
  const { rows } = await sql<DueTopUp>`
    select o.id as "organisationId", o.name as "organisationName", s.saved_method as "savedMethod",
      s.top_up_amount as "amountMicros", (
        select user_id from memberships m where m.organisation_id = o.id and m.role = 'owner' order by created_at, user_id limit 1
      ) as "ownerId"
    from balance_settings s
    join organisations o on o.id = s.organisation_id
    join ledger_accounts a on a.organisation_id = s.organisation_id and a.account = 'balance'
    where (${organisationId}::uuid is null or s.organisation_id = ${organisationId}::uuid)
      and s.saved_provider = ${provider} and s.top_up_below is not null and s.paused_why is null
      and o.billing_mode = 'prepaid' and a.balance - a.held < s.top_up_below
      and not exists (select from top_ups t where t.organisation_id = s.organisation_id
        and t.saved_method is not null and t.state in ('starting', 'open'))
      and ${addedThisMonth} + s.top_up_amount <= s.month_limit
    order by s.organisation_id limit 100`.execute(tx);
  return rows;
}

export interface BalanceMail {
  kind: "low" | "paused";
  organisationId: string;
  userId: string;
}

/** Each owner who must be mailed now. Needs the system scope. */
export async function takeBalanceMails(tx: Tx): Promise<BalanceMail[]> {
  await sql`
    update balance_settings s set is_low = false from ledger_accounts a
    where a.organisation_id = s.organisation_id and a.account = 'balance' and s.is_low and a.balance >= s.low_below`.execute(
    tx,
  );
  const { rows } = await sql<BalanceMail>`
    with low as (
      update balance_settings s set is_low = true from ledger_accounts a, organisations o
      where a.organisation_id = s.organisation_id and a.account = 'balance' and o.id = s.organisation_id
        and o.billing_mode = 'prepaid' and not s.is_low and a.balance < s.low_below
      returning s.organisation_id, 'low' as kind
    ),
    paused as (
      update balance_settings set pause_mailed_at = clock_timestamp()
      where paused_why is not null and pause_mailed_at is null
      returning organisation_id, 'paused' as kind
    )
    select kind, m.organisation_id as "organisationId", m.user_id as "userId"
    from (select * from low union all select * from paused) as event
    join memberships m on m.organisation_id = event.organisation_id and m.role = 'owner'`.execute(tx);
  return rows;
}

/** Undefined if the person no longer owns the organisation. */
export const findBalanceMail = (tx: Tx, { organisationId, userId }: BalanceMail) =>
  tx
    .selectFrom("balance_settings as s")
    .innerJoin("organisations as o", "o.id", "s.organisation_id")
    .innerJoin("ledger_accounts as a", (join) =>
      join.onRef("a.organisation_id", "=", "s.organisation_id").on("a.account", "=", "balance"),
    )
    .innerJoin("memberships as m", "m.organisation_id", "s.organisation_id")
    .innerJoin("users", "users.id", "m.user_id")
    .select([
      "users.email",
      "users.first_name as firstName",
      "o.name as organisationName",
      "a.balance as balanceMicros",
    ])
    .select(["s.low_below as lowBelowMicros", "s.is_low as isLow", "s.paused_why as pausedWhy"])
    .where("s.organisation_id", "=", organisationId)
    .where("m.user_id", "=", userId)
    .where("m.role", "=", "owner")
    .executeTakeFirst();
