import { type CarrierNumbers, NumberNotForSale } from "@leadline/adapter-kit/carrier-numbers";
import { asLeadline } from "../../db/as-leadline.ts";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { settleNumberHold } from "../ledger/pay-for-number.ts";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import type { NumberDeps } from "./number-deps.ts";
import {
  findOrder,
  lockNumbers,
  markOwned,
  deleteRefused,
  markReleased,
  type NumberOrder,
} from "./phone-numbers.table.ts";

/**
 * Asks the carrier for a stored purchase and stores the result. The order's id is the carrier's idempotency key, so
 * this may run again after a crash, or concurrently. Throws number-taken if the carrier refuses permanently.
 */
export async function settlePurchase(deps: NumberDeps, order: NumberOrder): Promise<NumberOrder> {
  const { id, organisationId, number } = order;
  const bought = await numbersOf(deps, order)
    .buy({ number, idempotencyKey: id })
    .catch(async (error: unknown) => {
      if (!(error instanceof NumberNotForSale)) throw error;
      await inOrganisation(deps, order, async (tx) => {
        await asLeadline(tx, "phone-number.refused", () => deleteRefused(tx, order));
        await settleNumberHold(tx, { organisationId, numberId: id, micros: 0 });
      });
      throw numberTaken(number);
    });
  return inOrganisation(deps, order, async (tx) => {
    await lockNumbers(tx, organisationId);
    const { monthlyCostMicros } = bought;
    const owned = await asLeadline(tx, "phone-number.bought", () =>
      markOwned(tx, { organisationId, id, accountId: null, monthlyCostMicros }),
    );
    // Settled by another process in between.
    if (!owned) return (await findOrder(tx, order)) ?? order;
    await publishNumbersChanged(tx, organisationId);
    await settleNumberHold(tx, { organisationId, numberId: id, micros: monthlyCostMicros });
    return owned;
  });
}

/** Releases a number whose release is stored. May run again, like settlePurchase. */
export async function settleReturn(deps: NumberDeps, order: NumberOrder): Promise<void> {
  await numbersOf(deps, order).release(order.number);
  await inOrganisation(deps, order, (tx) => asLeadline(tx, "phone-number.released", () => markReleased(tx, order)));
}

export const numberTaken = (number: string): Problem =>
  new Problem("number-taken", `${number} is no longer for sale. Choose another number.`);

export const publishNumbersChanged = (tx: Tx, organisationId: string): Promise<void> =>
  publishLiveEvent(tx, { organisationId, type: "phone-numbers.changed", data: {} });

function inOrganisation<T>(
  deps: NumberDeps,
  { organisationId }: NumberOrder,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return deps.database.withTransaction({ organisationId }, work);
}

function numbersOf(deps: NumberDeps, { carrier, number }: NumberOrder): CarrierNumbers {
  const numbers = deps.carriers.find(carrier)?.carrier.numbers;
  if (!numbers) throw new Error(`${number} is of ${carrier}, which this installation no longer has`);
  return numbers;
}
