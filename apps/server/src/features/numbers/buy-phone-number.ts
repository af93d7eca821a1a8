import { createHash, randomUUID } from "node:crypto";
import type { PhoneNumber } from "@leadline/contract/phone-numbers";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { type NumberDeps, sellingCarrier, toPhoneNumber } from "./number-deps.ts";
import { findOrder, findOrderByIdempotencyKey, insertOrder, type NumberOrder } from "./phone-numbers.table.ts";
import { numberTaken, settlePurchase } from "./settle-order.ts";

interface BuyPhoneNumber {
  caller: Member;
  number: string;
  idempotencyKey: string | null;
}

/** Writes the wish down, then asks the carrier: a crash in between leaves an order that resume-orders.ts takes up. */
export async function buyPhoneNumber(deps: NumberDeps, wish: BuyPhoneNumber): Promise<PhoneNumber> {
  const order = await placeOrder(deps, wish);
  if (order.state !== "buying") return toPhoneNumber(deps, order);
  const settled = await settlePurchase(deps, order).catch((error: unknown) => {
    if (error instanceof Problem) throw error;
    deps.log.error({ err: error, orderId: order.id }, "a number's purchase is open: the carrier did not answer");
    throw new Problem(
      "carrier-unreachable",
      `Your carrier isn’t responding. Leadline keeps trying: when the purchase goes through, ${order.number} appears in your list. It won’t be bought twice.`,
    );
  });
  return toPhoneNumber(deps, settled);
}

/** The order of this request, or of an earlier one with its key. */
async function placeOrder(deps: NumberDeps, { caller, number, idempotencyKey }: BuyPhoneNumber): Promise<NumberOrder> {
  const carrier = sellingCarrier(deps.carriers);
  const organisationId = caller.organisation.id;
  const requestHash = createHash("sha256").update(number).digest("hex");
  const id = randomUUID();
  const order = await deps.database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    const orderedBy = caller.userId;
    const written = await insertOrder(tx, {
      id,
      organisationId,
      number,
      carrier: carrier.id,
      orderedBy,
      idempotencyKey,
      requestHash: idempotencyKey === null ? null : requestHash,
    });
    if (written) return findOrder(tx, { organisationId, id });
    return idempotencyKey === null
      ? undefined
      : findOrderByIdempotencyKey(tx, { organisationId, orderedBy, idempotencyKey });
  });
  if (!order) throw numberTaken(number);
  if (order.id !== id && order.requestHash !== requestHash) {
    throw new Problem(
      "idempotency-key-reused",
      "This key was used for another number. Use a new one for each purchase.",
    );
  }
  return order;
}
