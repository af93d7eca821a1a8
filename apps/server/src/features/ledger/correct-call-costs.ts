import type { Tx } from "../../db/transaction.ts";
import { insertEntries } from "./ledger.table.ts";

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
