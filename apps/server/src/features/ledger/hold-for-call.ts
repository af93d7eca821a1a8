import { costOfCall } from "@leadline/contract/cost-of-call";
import type { CallRate } from "@leadline/contract/rates";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { inDollars } from "../../in-dollars.ts";
import { Problem } from "../../http/problem.ts";
import { isResolvedHold, lockAvailable, putHold, putHoldIfPrepaid, selectBillingMode } from "./ledger.table.ts";

/** A call is dialled with this much time paid for, and its hold grows in steps of this length. */
export const holdSliceMs = 60_000;

/** The trigger that charges an ended call settles the hold of this key. */
const keyOf = (callSid: string): string => `call:${callSid}`;

/**
 * In a prepaid organisation, holds the cost of the first minute, or refuses the call. Returns how long the call is paid
 * for, in milliseconds; null in a metered organisation. Call it last in the transaction
 * that stores the call, because it locks the balance.
 */
export async function holdForNewCall(
  tx: Tx,
  { organisationId, callSid, rate }: { organisationId: string; callSid: string; rate: CallRate | null },
): Promise<number | null> {
  const amountMicros = rate === null ? null : costOfCall(rate, holdSliceMs);
  const { mode, held } = await putHoldIfPrepaid(tx, { organisationId, key: keyOf(callSid), amountMicros });
  if (mode === "metered") return null;
  if (held) return holdSliceMs;
  throw notHeld(amountMicros);
}

/**
 * For a short call that isn't stored, so nothing is held or charged: a prepaid organisation's balance must cover its
 * first minute. Call it last, because it locks the balance.
 */
export async function refuseUncoveredCall(
  tx: Tx,
  { organisationId, rate }: { organisationId: string; rate: CallRate | null },
): Promise<void> {
  if ((await selectBillingMode(tx, organisationId)) !== "prepaid") return;
  const amountMicros = rate === null ? null : costOfCall(rate, holdSliceMs);
  if (amountMicros === 0) return;
  if (amountMicros === null || (await lockAvailable(tx, organisationId)) < amountMicros) throw notHeld(amountMicros);
}

const notHeld = (amountMicros: number | null): Problem =>
  amountMicros === null
    ? new Problem(
        "rate-unknown",
        "Your carrier has no rate for this number, so its price can’t be held from your balance. An admin can add one under Settings, Carriers, Rates.",
      )
    : new Problem(
        "balance-too-low",
        `Your organisation’s balance doesn’t cover the first minute of this call (${inDollars(amountMicros)}). Top up under Settings, Billing, or ask an owner or admin to.`,
      );

/**
 * Extends the hold to this amount. False if the balance doesn't cover it. True if the call has just ended and is
 * settled.
 */
export async function extendHold(
  database: Database,
  { organisationId, callSid, amountMicros }: { organisationId: string; callSid: string; amountMicros: number },
): Promise<boolean> {
  try {
    return await database.withTransaction({ organisationId, forLiveCall: true }, (tx) =>
      putHold(tx, { organisationId, key: keyOf(callSid), amountMicros }),
    );
  } catch (error) {
    if (isResolvedHold(error)) return true;
    throw error;
  }
}
