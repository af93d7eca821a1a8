import { setTimeout as sleep } from "node:timers/promises";
import { ProvisionerError, type Purchase } from "@leadline/adapter-kit/provisioner";
import { asLeadline } from "../../../db/as-leadline.ts";
import type { Tx } from "../../../db/transaction.ts";
import { countForNumber } from "../../ledger/pay-for-number.ts";
import type { NumberDeps } from "../number-deps.ts";
import {
  deleteRefused,
  findOrder,
  lockNumbers,
  markOwned,
  markReleased,
  type NumberOrder,
  unmarkReleasing,
} from "../phone-numbers.table.ts";
import { publishNumbersChanged } from "../settle-order.ts";
import { markRefused, setNote } from "./account-numbers.table.ts";
import { isOpen, isOpenAgain, openMeanwhile } from "./number-problem.ts";
import { guessTypeOfNumber } from "./type-of-number.ts";

/** If the vendor takes a moment, it is asked again before the admin gets a response. */
const [asksAtOnce, pauseMs] = [4, 400];

export type SettledOrder = { order: NumberOrder } | { refused: ProvisionerError };

/**
 * Asks the vendor for a stored purchase and stores the result. The vendor finds it again by the order's id, so this may
 * run again after a crash. Never rejects with a ProvisionerError. `isNew`: it wasn't asked before, so a refusal of the
 * account is a refusal of the order.
 */
async function settleAccountPurchase(
  deps: NumberDeps,
  order: NumberOrder,
  { asks, isNew }: { asks: number; isNew: boolean },
): Promise<SettledOrder> {
  const settled = await deps.runExclusively(`number-order:${order.id}`, async (): Promise<SettledOrder> => {
    const now = await readOrder(deps, order);
    if (now?.state !== "buying") return settledAs(deps, order, now);
    try {
      return await settledAs(deps, order, await record(deps, now, await ask(deps, now, asks)));
    } catch (error) {
      const mayBeBought = isNew ? isOpen : isOpenAgain;
      if (error instanceof ProvisionerError && !mayBeBought(error)) return { refused: error };
      if (!(error instanceof ProvisionerError)) throw error;
      const note = `${error.message} Leadline keeps trying, and won’t buy it twice.`;
      return settledAs(deps, order, await noted(deps, now, note));
    }
  });
  return settled ?? settledAs(deps, order, await readOrder(deps, order));
}

/** Undefined: its row was deleted meanwhile, because it was refused or its account was disconnected. */
async function settledAs(deps: NumberDeps, given: NumberOrder, order: NumberOrder | undefined): Promise<SettledOrder> {
  if (order) return { order };
  const { organisationId, accountId, carrier, number } = given;
  const accounts = await deps.database.withTransaction({ organisationId }, (tx) =>
    deps.accounts.list(tx, organisationId),
  );
  const vendor = deps.accounts.nameOf(carrier);
  const sentence = accounts.some(({ id }) => id === accountId)
    ? `${vendor} refused the order of ${number}.`
    : `The account was disconnected while ${number} was on order. If ${vendor} delivers it, it’s in that account and costs money there. If you don’t need it, release it at ${vendor}.`;
  return { refused: new ProvisionerError("refused", sentence) };
}

async function ask(deps: NumberDeps, order: NumberOrder, asks: number): Promise<Purchase> {
  const { organisationId, accountId, countryCode, number, id: reference } = order;
  if (accountId === null || countryCode === null) throw new Error(`${number} is of no account`);
  const asking = deps.accounts.use({ organisationId, id: accountId }, async (provisioner, { trunk }) => {
    const intent = { number, countryCode, type: order.numberType ?? guessTypeOfNumber(number), trunk, reference };
    let purchase = await provisioner.buy(intent);
    for (let asked = 1; purchase.state === "pending" && asked < asks; asked++) {
      await sleep(pauseMs);
      purchase = await provisioner.buy(intent).catch((error: unknown) => {
        if (isOpenAgain(error)) return purchase;
        throw error;
      });
    }
    return purchase;
  });
  return asking.catch((error: unknown) => {
    throw openMeanwhile(error);
  });
}

async function record(deps: NumberDeps, order: NumberOrder, purchase: Purchase): Promise<NumberOrder | undefined> {
  if (purchase.state === "pending") return noted(deps, order, purchase.sentence);
  const { organisationId, id, accountId } = order;
  const { monthlyCostMicros } = purchase.number;
  return deps.database.withTransaction({ organisationId }, async (tx) => {
    await lockNumbers(tx, organisationId);
    const owned = await asLeadline(tx, "phone-number.bought", () =>
      markOwned(tx, { organisationId, id, accountId, monthlyCostMicros }),
    );
    if (!owned) return findOrder(tx, order);
    await publishNumbersChanged(tx, organisationId);
    await countFirstMonth(tx, owned);
    return owned;
  });
}

/** With what is paid once. Call it last, because it locks the ledger accounts. */
export async function countFirstMonth(tx: Tx, owned: NumberOrder): Promise<void> {
  const { organisationId, id: numberId, monthlyCostMicros, upfrontCostMicros } = owned;
  const micros = (monthlyCostMicros ?? 0) + (upfrontCostMicros ?? 0);
  await countForNumber(tx, { organisationId, numberId, period: 0, micros });
}

const noted = (deps: NumberDeps, order: NumberOrder, note: string): Promise<NumberOrder | undefined> =>
  deps.database.withTransaction({ organisationId: order.organisationId }, async (tx) => {
    const now = await findOrder(tx, order);
    if (!now || now.note === note) return now;
    await setNote(tx, order, note);
    await publishNumbersChanged(tx, order.organisationId);
    return { ...now, note };
  });

const readOrder = (deps: NumberDeps, order: NumberOrder): Promise<NumberOrder | undefined> =>
  deps.database.withTransaction({ organisationId: order.organisationId }, (tx) => findOrder(tx, order));

/** For the admin who is waiting: an immediate refusal leaves no row. */
export async function settleWhileAsked(
  deps: NumberDeps,
  { order, isNew }: { order: NumberOrder; isNew: boolean },
): Promise<SettledOrder> {
  const settled = await settleAccountPurchase(deps, order, { asks: asksAtOnce, isNew });
  const { organisationId } = order;
  if ("refused" in settled) await deps.database.withTransaction({ organisationId }, (tx) => deleteRefused(tx, order));
  return settled;
}

/**
 * For orders left open by a killed process, a silent vendor or a slow order. The vendor's refusal is shown on the
 * screen.
 */
export async function settleInBackground(deps: NumberDeps, order: NumberOrder): Promise<void> {
  const { organisationId } = order;
  if (order.state === "releasing") return returnInBackground(deps, order);
  const settled = await settleAccountPurchase(deps, order, { asks: 1, isNew: false });
  if (!("refused" in settled)) return;
  await deps.database.withTransaction({ organisationId }, async (tx) => {
    await asLeadline(tx, "phone-number.refused", () => markRefused(tx, order, settled.refused.message));
    await publishNumbersChanged(tx, organisationId);
  });
}

async function returnInBackground(deps: NumberDeps, order: NumberOrder): Promise<void> {
  try {
    await settleAccountReturn(deps, order);
  } catch (error) {
    if (!(error instanceof ProvisionerError) || isOpen(error)) throw error;
    await keepNumber(deps, order, `${error.message} It wasn’t released, and costs money until it is.`);
  }
}

/** For a number that its vendor refuses to release: it stays the organisation's. */
export const keepNumber = (deps: NumberDeps, order: NumberOrder, note: string | null): Promise<void> =>
  deps.database.withTransaction({ organisationId: order.organisationId }, async (tx) => {
    await lockNumbers(tx, order.organisationId);
    await asLeadline(tx, "phone-number.kept", () => unmarkReleasing(tx, order));
    if (note !== null) await setNote(tx, order, note);
    await publishNumbersChanged(tx, order.organisationId);
  });

/** Rejects with the vendor's ProvisionerError. Does nothing if it is being released already. */
export async function settleAccountReturn(deps: NumberDeps, order: NumberOrder): Promise<void> {
  const { organisationId, accountId, number } = order;
  if (accountId === null) throw new Error(`${number} is of no account`);
  await deps.runExclusively(`number-order:${order.id}`, async () => {
    if ((await readOrder(deps, order))?.state !== "releasing") return;
    await deps.accounts
      .use({ organisationId, id: accountId }, (provisioner) => provisioner.release(number))
      .catch((error: unknown) => {
        throw openMeanwhile(error);
      });
    await deps.database.withTransaction({ organisationId }, (tx) =>
      asLeadline(tx, "phone-number.released", () => markReleased(tx, order)),
    );
  });
}
