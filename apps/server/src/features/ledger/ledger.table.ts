import type { Generated, GeneratedAlways } from "kysely";

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
