import { PaymentError } from "@leadline/adapter-kit/payment";
import type { TopUp } from "@leadline/contract/top-ups";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { getTopUp } from "./list-top-ups.ts";
import { settleTopUp } from "./settle-top-up.ts";
import { startCheckout } from "./start-top-up.ts";
import type { TopUpDeps } from "./top-up-deps.ts";
import { findTopUp } from "./top-ups.table.ts";

/** If it was paid at that moment, it counts as paid, and the response says so. */
export async function cancelTopUp(deps: TopUpDeps, caller: Member, id: string): Promise<TopUp> {
  const key = { organisationId: caller.organisation.id, id };
  const scope = { organisationId: key.organisationId, userId: caller.userId };
  const found = await deps.database.readInTransaction(scope, (tx) => findTopUp(tx, key));
  if (!found) throw new Problem("not-found", "Top-up not found.");
  if (found.savedMethod !== null && (found.state === "starting" || found.state === "open"))
    throw new Problem("payment-unreachable", "An automatic top-up can’t be canceled. It is unchanged.");
  try {
    // The provider may have a checkout whose response was lost.
    const { checkoutId } = await startCheckout(deps, found);
    if (checkoutId !== null) await deps.payments.find(found.provider)?.provider.cancel(checkoutId);
    await settleTopUp(deps, key);
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    deps.log.error({ err: error, topUpId: id }, "a top-up could not be canceled");
    if (await deps.database.readInTransaction(scope, (tx) => findTopUp(tx, key)))
      throw new Problem("payment-unreachable", `${error.message} The top-up may still be open.`);
    throw new Problem("payment-refused", `${error.message} The top-up was removed. You haven’t been charged.`);
  }
  return getTopUp(deps, caller, id);
}
