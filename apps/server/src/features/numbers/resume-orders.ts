import { Problem } from "../../http/problem.ts";
import type { NumberDeps } from "./number-deps.ts";
import { selectUnsettled } from "./phone-numbers.table.ts";
import { settleInBackground } from "./accounts/settle-account-order.ts";
import { settlePurchase, settleReturn } from "./settle-order.ts";

/** Finishes what a killed process or a silent carrier left open. The same key buys nothing twice. */
export async function resumeOrders(deps: NumberDeps, which: { olderThanMs: number }): Promise<void> {
  const scope = { system: "settle number orders of killed processes" };
  const open = await deps.database.withTransaction(scope, (tx) => selectUnsettled(tx, which));
  for (const order of open) {
    const { id: orderId, state } = order;
    try {
      if (order.accountId !== null) await settleInBackground(deps, order);
      else if (state === "releasing") await settleReturn(deps, order);
      else await settlePurchase(deps, order);
      deps.log.info({ orderId, state }, "a number's order was resumed");
    } catch (error) {
      if (error instanceof Problem) deps.log.info({ orderId }, "the carrier refused a number's order");
      else deps.log.warn({ err: error, orderId, state }, "a number's order is still incomplete");
    }
  }
}
