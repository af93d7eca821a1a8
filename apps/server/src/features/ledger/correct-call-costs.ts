import type { Tx } from "../../db/transaction.ts";
import { insertEntries } from "./ledger.table.ts";

interface Correction {
  callSid: string;
  /** Of this call, counted from 1: the same again is posted once. */
  number: number;
  /** Positive: the call cost more than was charged; negative: less. */
  micros: number;
}

/** Brings what metered calls were charged to what their carrier bills. For the transaction that stores the bill, last: it locks the accounts. */
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
