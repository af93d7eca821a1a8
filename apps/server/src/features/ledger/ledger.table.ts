import { type Generated, type GeneratedAlways, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/**
 * `balance`: what an organisation has paid in and may spend. `metered`: what its own carrier bills it. `costs`: what
 * calls and numbers have cost. `payments`, `adjustments`: where money comes from. `write-off`: costs that no balance
 * covers.
 */
export type LedgerAccount = "adjustments" | "balance" | "costs" | "metered" | "payments" | "write-off";

/** Millionths of a US dollar, as in the rest of this file. */
export interface LedgerAccountTable {
  organisation_id: string;
  account: LedgerAccount;
  balance: Generated<number>;
  held: Generated<number>;
}

/** Append-only: the database refuses changes. */
export interface LedgerTransferTable {
  id: GeneratedAlways<number>;
  organisation_id: string;
  key: string;
  kind: string;
  from_account: LedgerAccount;
  to_account: LedgerAccount;
  amount: number;
  from_balance: number;
  to_balance: number;
  call_sid: string | null;
  posted_at: Generated<string>;
}

export interface LedgerHoldTable {
  organisation_id: string;
  key: string;
  amount: number;
  state: Generated<"open" | "posted" | "voided">;
  opened_at: Generated<string>;
  resolved_at: string | null;
}

export interface LedgerEntry {
  organisationId: string;
  /** Unique within the organisation: the same entry is posted only once. */
  key: string;
  kind: string;
  from: LedgerAccount;
  to: LedgerAccount;
  amountMicros: number;
}

/**
 * Fails with LL001 if the key was used for a different transfer, and with LL002 if the balance doesn't cover it.
 * `always`: records what has already happened, even if the balance goes below zero.
 */
export async function insertEntry(tx: Tx, entry: LedgerEntry, { always }: { always: boolean }): Promise<void> {
  const { organisationId, key, kind, from, to, amountMicros } = entry;
  await sql`select ledger_post(${organisationId}, ${key}, ${kind}, ${from}, ${to}, ${amountMicros}, null, ${always})`.execute(
    tx,
  );
}

/**
 * Posts entries of calls in one round trip. They may take the balance below zero, because the calls have already
 * happened.
 */
export async function insertEntries(
  tx: Tx,
  organisationId: string,
  entries: readonly (Omit<LedgerEntry, "organisationId"> & { callSid: string })[],
): Promise<void> {
  if (entries.length === 0) return;
  const of = <Key extends keyof (typeof entries)[number]>(key: Key) => entries.map((entry) => entry[key]);
  await sql`
    select ledger_post(${organisationId}, e.key, e.kind, e.source, e.target, e.amount, e.sid, true)
    from unnest(${of("key")}::text[], ${of("kind")}::text[], ${of("from")}::text[], ${of("to")}::text[],
      ${of("amountMicros")}::bigint[], ${of("callSid")}::text[]) as e (key, kind, source, target, amount, sid)`.execute(
    tx,
  );
}

/** What the balance has beyond its holds, locked until the transaction ends. */
export async function lockAvailable(tx: Tx, organisationId: string): Promise<number> {
  const { rows } = await sql<{ account: LedgerAccount; available: number }>`
    select account, balance - held as available from ledger_accounts
    where organisation_id = ${organisationId} and account in ('balance', 'costs') order by account for update`.execute(
    tx,
  );
  return rows.find(({ account }) => account === "balance")?.available ?? 0;
}

interface WantedHold {
  organisationId: string;
  key: string;
  amountMicros: number;
}

/** The error of putHold after the hold was settled or released. */
export const isResolvedHold = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "LL003";

/** Holds at least this much of the balance under the key; false if the balance doesn't cover it. Locks the balance. */
export async function putHold(tx: Tx, { organisationId, key, amountMicros }: WantedHold): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select ledger_hold(${organisationId}, ${key}, ${amountMicros}) as held`.execute(tx);
  return rows[0]?.held === true;
}

export async function selectBillingMode(tx: Tx, organisationId: string): Promise<"metered" | "prepaid" | null> {
  const row = await tx
    .selectFrom("organisations")
    .select("billing_mode")
    .where("id", "=", organisationId)
    .executeTakeFirst();
  return row?.billing_mode ?? null;
}

/** Like putHold in a prepaid organisation. In a metered one nothing is held. */
export async function putHoldIfPrepaid(
  tx: Tx,
  { organisationId, key, amountMicros }: Omit<WantedHold, "amountMicros"> & { amountMicros: number | null },
): Promise<{ mode: "metered" | "prepaid"; held: boolean }> {
  const { rows } = await sql<{ mode: "metered" | "prepaid"; held: boolean }>`
    select billing_mode as mode, coalesce(
      case when billing_mode = 'prepaid' and ${amountMicros}::bigint is not null
        then ledger_hold(id, ${key}, ${amountMicros}::bigint) end, false) as held
    from organisations where id = ${organisationId}`.execute(tx);
  const row = rows[0];
  if (row === undefined) throw new Error("the organisation whose money is held is not there");
  return row;
}

/**
 * Ends the hold once and charges the used part, which may be zero. Does nothing if there is no such hold. Locks the
 * accounts.
 */
export async function settleHold(tx: Tx, settled: WantedHold & { kind: string }): Promise<void> {
  const { organisationId, key, kind, amountMicros } = settled;
  await sql`
    select ledger_settle(organisation_id, key, ${kind}, ${amountMicros}) from ledger_holds
    where organisation_id = ${organisationId} and key = ${key}`.execute(tx);
}
