import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import type { NumberDeps } from "./number-deps.ts";
import { isOpen, toNumberProblem } from "./accounts/number-problem.ts";
import { keepNumber, settleAccountReturn } from "./accounts/settle-account-order.ts";
import { lockNumbers, markReleasing, type NumberOrder } from "./phone-numbers.table.ts";
import { publishNumbersChanged, settleReturn } from "./settle-order.ts";
import { noSuchNumber } from "./update-phone-number.ts";

/**
 * Once this is stored, the number is no longer the organisation's. Releasing it at the carrier is retried until
 * confirmed.
 */
export async function releasePhoneNumber(
  deps: NumberDeps,
  { caller, id }: { caller: Member; id: string },
): Promise<void> {
  const organisationId = caller.organisation.id;
  const order = await deps.database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    await lockNumbers(tx, organisationId);
    const releasing = await markReleasing(tx, { organisationId, id });
    if (releasing?.accountId) await keepConnected(deps, tx, { ...releasing, accountId: releasing.accountId });
    if (releasing) await publishNumbersChanged(tx, organisationId);
    return releasing;
  });
  if (!order) throw noSuchNumber();
  if (order.accountId !== null) return releaseAtAccount(deps, order);
  await settleReturn(deps, order).catch((error: unknown) => {
    deps.log.error({ err: error, orderId: id }, "a number's release is incomplete: the carrier did not respond");
    throw new Problem(
      "carrier-unreachable",
      `Your carrier isn’t responding. ${order.number} is off your list, and Leadline keeps trying to release it. You don’t need to do anything.`,
    );
  });
}

/** Whoever disconnects the account ends only the releases that are stored by then. */
const keepConnected = (
  { accounts }: NumberDeps,
  tx: Tx,
  { organisationId, accountId, carrier, number }: NumberOrder & { accountId: string },
): Promise<void> =>
  accounts.keepConnected(tx, { organisationId, id: accountId }).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(
      "carrier-refused",
      `The account of ${number} is being disconnected, so nothing was released. If you don’t need the number, release it at ${accounts.nameOf(carrier)}.`,
    );
  });

/**
 * A number that the vendor refuses to release stays the organisation's. If the vendor doesn't respond, resume-orders.ts
 * continues.
 */
async function releaseAtAccount(deps: NumberDeps, order: NumberOrder): Promise<void> {
  try {
    await settleAccountReturn(deps, order);
  } catch (error) {
    if (isOpen(error)) {
      deps.log.warn({ err: error, orderId: order.id }, "a number's release is incomplete: the vendor did not respond");
      throw toNumberProblem(error, ` ${order.number} is off your list, and Leadline keeps trying to release it.`);
    }
    await keepNumber(deps, order, null);
    throw toNumberProblem(error, " Nothing was released.");
  }
}
