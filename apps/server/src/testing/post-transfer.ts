import { sql } from "kysely";
import type { Tx } from "../db/transaction.ts";
import type { LedgerAccount } from "../features/ledger/ledger.table.ts";

interface Transfer {
  organisationId: string;
  key: string;
  kind: string;
  from: LedgerAccount;
  to: LedgerAccount;
  amountMicros: number;
}

/** Fails with LL001 if the key was used for another transfer, and with LL002 if the balance is too low. */
export async function postTransfer(tx: Tx, transfer: Transfer): Promise<void> {
  const { organisationId, key, kind, from, to, amountMicros } = transfer;
  await sql`select ledger_post(${organisationId}, ${key}, ${kind}, ${from}, ${to}, ${amountMicros})`.execute(tx);
}
