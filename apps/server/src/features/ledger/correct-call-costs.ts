import type { Tx } from "../../db/transaction.ts";
import { insertEntries, lockAvailable } from "./ledger.table.ts";

interface Correction {
  callSid: string;
  /** The number of this correction of the call, from 1. Each is posted once. */
  number: number;
  /** Positive: the call cost more than was charged; negative: less. */
  micros: number;
}

/**
 * Corrects metered calls' charges to what their carrier bills. Call it last in the transaction that stores the bill,
 * because it locks the accounts.
 */
export const correctCallCosts = (tx: Tx, organisationId: string, corrections: readonly Correction[]): Promise<void> =>
  insertEntries(
    tx,
    organisationId,
    corrections.map(({ callSid, number, micros }) => ({
      key: `call:${callSid}:carrier:${number}`,
      kind: "correction",
      ...(micros > 0 ? ({ from: "metered", to: "costs" } as const) : ({ from: "costs", to: "metered" } as const)),
      amountMicros: Math.abs(micros),
      callSid,
    })),
  );

/**
 * Charges prepaid calls for time after their settlement, from the balance and then the write-off. Call it last, because
 * it locks the accounts.
 */
export async function chargeUnseenTime(tx: Tx, organisationId: string, charges: readonly Correction[]): Promise<void> {
  if (charges.length === 0) return;
  let availableMicros = await lockAvailable(tx, organisationId);
  const entries = charges.flatMap(({ callSid, number, micros }) => {
    const covered = Math.min(micros, Math.max(0, availableMicros));
    availableMicros -= covered;
    const entry = { key: `call:${callSid}:carrier:${number}`, kind: "correction", to: "costs" as const, callSid };
    return [
      { ...entry, from: "balance" as const, amountMicros: covered },
      { ...entry, key: `${entry.key}:write-off`, from: "write-off" as const, amountMicros: micros - covered },
    ].filter(({ amountMicros }) => amountMicros > 0);
  });
  await insertEntries(tx, organisationId, entries);
}
