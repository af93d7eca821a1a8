import type { Tx } from "../../db/transaction.ts";
import { insertEntry, putHoldIfPrepaid, selectBillingMode, settleHold } from "./ledger.table.ts";

interface NumberPeriod {
  organisationId: string;
  numberId: string;
  /** Months since the purchase, which is period 0. */
  period: number;
}

/** Makes sure that each month of a number is paid once. */
const keyOf = ({ numberId, period }: Pick<NumberPeriod, "numberId" | "period">): string =>
  `number:${numberId}:${period}`;

/**
 * In a prepaid organisation, holds the first month of a number that is being bought. False if the balance doesn't cover
 * it. Locks the balance.
 */
export async function holdForNumber(
  tx: Tx,
  { organisationId, numberId, micros }: Omit<NumberPeriod, "period"> & { micros: number },
): Promise<boolean> {
  const wanted = { organisationId, key: keyOf({ numberId, period: 0 }), amountMicros: micros };
  const { mode, held } = await putHoldIfPrepaid(tx, wanted);
  return mode === "metered" || held;
}

/**
 * Charges the first month, or 0 if nothing was bought. Does nothing without a hold. Call it last, because it locks the
 * accounts.
 */
export const settleNumberHold = (
  tx: Tx,
  { organisationId, numberId, micros }: Omit<NumberPeriod, "period"> & { micros: number },
): Promise<void> =>
  settleHold(tx, { organisationId, key: keyOf({ numberId, period: 0 }), kind: "number", amountMicros: micros });

/**
 * In a metered organisation, counts a month of a number that its own carrier bills: nothing is charged. Call it last,
 * because it locks the accounts.
 */
export async function countForNumber(tx: Tx, counted: NumberPeriod & { micros: number }): Promise<void> {
  const { organisationId, micros } = counted;
  if (micros === 0 || (await selectBillingMode(tx, organisationId)) !== "metered") return;
  const entry = { organisationId, key: keyOf(counted), kind: "number", amountMicros: micros };
  await insertEntry(tx, { ...entry, from: "metered", to: "costs" }, { always: true });
}

/** Charges a later month. Fails with LL002 if the balance doesn't cover it. Call it last: it locks the ledger accounts. */
export async function chargeForNumber(tx: Tx, charge: NumberPeriod & { micros: number }): Promise<void> {
  const { organisationId, micros } = charge;
  if (micros === 0) return;
  const entry = { organisationId, key: keyOf(charge), kind: "number", amountMicros: micros };
  await insertEntry(tx, { ...entry, from: "balance", to: "costs" }, { always: false });
}
