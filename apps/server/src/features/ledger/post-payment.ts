import type { Tx } from "../../db/transaction.ts";
import { insertEntry } from "./ledger.table.ts";

interface PaymentMoved {
  organisationId: string;
  /** A payment with the same key is posted only once. */
  key: string;
  kind: "top-up" | "refund" | "chargeback";
  /** Positive: paid in. Negative: paid back, which may take the balance below zero, because the money is already gone. */
  micros: number;
}

/** Moves money between the outside world and the organisation's balance. */
export async function postPayment(tx: Tx, { organisationId, key, kind, micros }: PaymentMoved): Promise<void> {
  if (micros === 0) return;
  const [from, to] = micros > 0 ? (["payments", "balance"] as const) : (["balance", "payments"] as const);
  const entry = { organisationId, key, kind, from, to, amountMicros: Math.abs(micros) };
  await insertEntry(tx, entry, { always: true });
}
