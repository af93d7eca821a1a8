import { forEachAtOnce } from "../../for-each-at-once.ts";
import { Problem } from "../../http/problem.ts";
import { settleInBackground } from "./accounts/settle-account-order.ts";
import type { NumberDeps } from "./number-deps.ts";
import { noteAsked, selectUnsettled } from "./open-orders.table.ts";
import type { NumberOrder } from "./phone-numbers.table.ts";
import { settlePurchase, settleReturn } from "./settle-order.ts";

/** Accounts of a carrier, so that a slow one holds up only itself. */
const accountsAtOnce = 10;

interface Pass {
  olderThanMs: number;
  isClosing?: () => boolean;
}

/**
 * Finishes what a killed process or a silent carrier left open. The same key buys nothing twice. One process at a time
 * asks a carrier, whose silence delays no other carrier.
 */
export async function resumeOrders(deps: NumberDeps, pass: Pass): Promise<void> {
  const scope = { system: "settle number orders of killed processes" };
  const open = await deps.database.withTransaction(scope, (tx) => selectUnsettled(tx, pass));
  const byCarrier = Map.groupBy(open, ({ carrier }) => carrier);
  await Promise.all(
    [...byCarrier].map(([carrier, orders]) =>
      deps.runExclusively(`number-orders:${carrier}`, () => resumeAtCarrier(deps, orders, pass)),
    ),
  );
}

async function resumeAtCarrier(deps: NumberDeps, orders: readonly NumberOrder[], pass: Pass): Promise<void> {
  const accounts = Map.groupBy(orders, ({ organisationId, accountId }) => accountId ?? organisationId);
  await forEachAtOnce([...accounts.values()], { most: accountsAtOnce }, async (ofAccount) => {
    for (const order of ofAccount) if (!pass.isClosing?.()) await resumeOrder(deps, order);
  });
}

async function resumeOrder(deps: NumberDeps, order: NumberOrder): Promise<void> {
  const { id: orderId, organisationId, state } = order;
  try {
    await deps.database.withTransaction({ organisationId }, (tx) => noteAsked(tx, order));
    if (order.accountId !== null) await settleInBackground(deps, order);
    else if (state === "releasing") await settleReturn(deps, order);
    else await settlePurchase(deps, order);
    deps.log.info({ orderId, state }, "a number's order was resumed");
  } catch (error) {
    if (error instanceof Problem) deps.log.info({ orderId }, "the carrier refused a number's order");
    else deps.log.warn({ err: error, orderId, state }, "a number's order is still incomplete");
  }
}
