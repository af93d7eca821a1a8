import { createHash, randomUUID } from "node:crypto";
import type { NumberOrder as ApiNumberOrder, orderNumber as endpoint } from "@leadline/contract/number-orders";
import type { NumberType, Provisioner } from "@leadline/adapter-kit/provisioner";
import type { z } from "zod";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import type { NumberDeps } from "../number-deps.ts";
import { findOrder, insertOrder, type NumberOrder } from "../phone-numbers.table.ts";
import { admitPurchase, placeOrderOnce } from "../place-order-once.ts";
import { numberTaken } from "../settle-order.ts";
import { toApiOrder } from "./list-number-orders.ts";
import { toNumberProblem } from "./number-problem.ts";
import { settleWhileAsked } from "./settle-account-order.ts";
import { readTypeOfNumber } from "./type-of-number.ts";

interface OrderNumber {
  caller: Member;
  wish: Omit<z.output<(typeof endpoint)["body"]>, "currentPassword">;
  idempotencyKey: string | null;
  currentPassword?: string | undefined;
}

/** Stores the order, then asks the vendor: if a process is killed in between, resume-orders.ts finishes the order. */
export async function orderNumber(deps: NumberDeps, asked: OrderNumber): Promise<ApiNumberOrder> {
  const { wish, ...purchase } = asked;
  const requestHash = createHash("sha256").update(JSON.stringify(wish)).digest("hex");
  let isNew = false;
  const order = await placeOrderOnce(deps, { ...purchase, requestHash }, async (isConfirmed) => {
    const placed = await placeOrder(deps, { ...asked, requestHash, isConfirmed });
    isNew = true;
    return placed;
  });
  const settled = await settleWhileAsked(deps, { order, isNew });
  if ("refused" in settled) throw toNumberProblem(settled.refused);
  return toApiOrder(deps, settled.order);
}

async function placeOrder(
  deps: NumberDeps,
  {
    caller,
    wish,
    idempotencyKey,
    requestHash,
    isConfirmed,
  }: OrderNumber & { requestHash: string; isConfirmed: boolean },
): Promise<NumberOrder> {
  const { accountId, number, countryCode } = wish;
  const organisationId = caller.organisation.id;
  const { terms, account } = await deps.accounts
    .use({ organisationId, id: accountId }, async (provisioner, used) => ({
      terms: await readTerms(provisioner, { number, countryCode, vendorName: used.vendorName }),
      account: used,
    }))
    .catch((error: unknown) => {
      throw toNumberProblem(error, " Nothing was bought.");
    });
  const id = randomUUID();
  const order = await deps.database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    await admitPurchase(tx, { organisationId, maxNumbers: deps.maxNumbers, isConfirmed });
    // Whoever disconnects it ends only the orders that are stored by then.
    await deps.accounts.keepConnected(tx, { organisationId, id: accountId });
    const written = await insertOrder(tx, {
      id,
      organisationId,
      number,
      carrier: account.vendor,
      isOfSandbox: account.isSandbox,
      ofAccount: { id: accountId, connectionId: account.carrierId, countryCode, ...terms },
      orderedBy: caller.userId,
      idempotencyKey,
      requestHash: idempotencyKey === null ? null : requestHash,
    });
    return written ? findOrder(tx, { organisationId, id }) : undefined;
  });
  if (!order) throw numberTaken(number);
  return order;
}

/** Type and price, after checking that the number is for sale and its requirements are met. */
async function readTerms(
  provisioner: Provisioner,
  { number, countryCode, vendorName }: { number: string; countryCode: string; vendorName: string },
): Promise<{ type: NumberType; monthlyCostMicros: number; upfrontCostMicros: number }> {
  const found = await provisioner.searchNumbers({ countryCode, query: number, limit: 5 });
  const offered = found.find((each) => each.number === number);
  if (!offered) throw numberTaken(number);
  const type = await readTypeOfNumber(provisioner, { number, countryCode, vendorName });
  const requirements = await provisioner.requirements(countryCode, type, number);
  const missing = requirements.filter(({ met }) => !met);
  if (missing.length > 0)
    throw new Problem("carrier-refused", `${missing.map(({ sentence }) => sentence).join(" ")} Nothing was bought.`);
  const { monthlyCostMicros, upfrontCostMicros = 0 } = offered;
  return { type, monthlyCostMicros, upfrontCostMicros };
}
