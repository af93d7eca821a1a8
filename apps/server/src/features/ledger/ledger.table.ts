import { type Generated, type GeneratedAlways, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/**
 * `balance`: what an organisation has paid in and may spend. `metered`: what its own carrier bills it. `costs`: what calls
 * and numbers have cost. `payments`, `adjustments`: where money comes from. `write-off`: costs that no balance covers.
 */
export type LedgerAccount = "adjustments" | "balance" | "costs" | "metered" | "payments" | "write-off";

/** Millionths of a US dollar, here and below. */
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
  /** Unique in the organisation: the same entry again is posted once. */
  key: string;
  kind: string;
  from: LedgerAccount;
  to: LedgerAccount;
  amountMicros: number;
}

/**
 * Fails with LL001 if the key was used for another transfer, and with LL002 if the balance doesn't cover it. `always`: what has happened
 * already may take the balance below zero.
 */
export async function insertEntry(tx: Tx, entry: LedgerEntry, { always }: { always: boolean }): Promise<void> {
  const { organisationId, key, kind, from, to, amountMicros } = entry;
  await sql`select ledger_post(${organisationId}, ${key}, ${kind}, ${from}, ${to}, ${amountMicros}, null, ${always})`.execute(
    tx,
  );
}
