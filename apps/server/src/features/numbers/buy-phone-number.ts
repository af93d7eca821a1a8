import { createHash, randomUUID } from "node:crypto";
import type { CarrierNumbers } from "@leadline/adapter-kit/carrier-numbers";
import type { PhoneNumber } from "@leadline/contract/phone-numbers";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { inDollars } from "../../in-dollars.ts";
import { holdForNumber } from "../ledger/pay-for-number.ts";
import { readIsPrepaid } from "../ledger/read-is-prepaid.ts";
import { isInstallationSandbox, type NumberDeps, sellingCarrier, toPhoneNumber } from "./number-deps.ts";
import { findOrder, insertOrder, type NumberOrder } from "./phone-numbers.table.ts";
import { admitPurchase, placeOrderOnce } from "./place-order-once.ts";
import { numberTaken, settlePurchase } from "./settle-order.ts";

/** A number may be the prefix of others. */
const maxFound = 10;

interface BuyPhoneNumber {
  caller: Member;
  number: string;
  idempotencyKey: string | null;
  currentPassword?: string | undefined;
}

/** Stores the order, then asks the carrier. After a crash in between, resume-orders.ts continues the order. */
export async function buyPhoneNumber(deps: NumberDeps, wish: BuyPhoneNumber): Promise<PhoneNumber> {
  const requestHash = createHash("sha256").update(wish.number).digest("hex");
  const { caller, idempotencyKey, currentPassword } = wish;
  const order = await placeOrderOnce(deps, { caller, idempotencyKey, requestHash, currentPassword }, (isConfirmed) =>
    placeOrder(deps, { ...wish, requestHash, isConfirmed }),
  );
  if (order.state !== "buying") return toPhoneNumber(deps, order);
  const settled = await settlePurchase(deps, order).catch((error: unknown) => {
    if (error instanceof Problem) throw error;
    deps.log.error({ err: error, orderId: order.id }, "a number's purchase is incomplete: the carrier did not respond");
    throw new Problem(
      "carrier-unreachable",
      `Your carrier isn’t responding. Leadline keeps trying: when the purchase goes through, ${order.number} appears in your list. It won’t be bought twice.`,
    );
  });
  return toPhoneNumber(deps, settled);
}

async function placeOrder(
  deps: NumberDeps,
  wish: BuyPhoneNumber & { requestHash: string; isConfirmed: boolean },
): Promise<NumberOrder> {
  const { caller, number, idempotencyKey, requestHash, isConfirmed } = wish;
  const carrier = sellingCarrier(deps.carriers);
  const organisationId = caller.organisation.id;
  const id = randomUUID();
  const micros = await priceIfPrepaid(deps, carrier.numbers, { organisationId, number });
  const order = await deps.database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    await admitPurchase(tx, { organisationId, maxNumbers: deps.maxNumbers, isConfirmed });
    if (micros === null && (await readIsPrepaid(tx, organisationId))) return "price-not-read";
    const written = await insertOrder(tx, {
      id,
      organisationId,
      number,
      carrier: carrier.id,
      isOfSandbox: isInstallationSandbox(carrier.id),
      orderedBy: caller.userId,
      idempotencyKey,
      requestHash: idempotencyKey === null ? null : requestHash,
    });
    if (!written) return undefined;
    if (micros !== null && !(await holdForNumber(tx, { organisationId, numberId: id, micros })))
      throw new Problem(
        "balance-too-low",
        `Your organisation’s balance doesn’t cover the first month of ${number} (${inDollars(micros)}). Top up under Settings, Billing.`,
      );
    return findOrder(tx, { organisationId, id });
  });
  // It was metered a moment ago. Without a price nothing would be held, and the first month would be free.
  if (order === "price-not-read") return placeOrder(deps, wish);
  if (!order) throw numberTaken(number);
  return order;
}

/** The cost of the first month. Null in a metered organisation, which isn't charged. */
async function priceIfPrepaid(
  deps: NumberDeps,
  stock: CarrierNumbers,
  { organisationId, number }: { organisationId: string; number: string },
): Promise<number | null> {
  const isPrepaid = await deps.database.withTransaction({ organisationId }, (tx) => readIsPrepaid(tx, organisationId));
  if (!isPrepaid) return null;
  const countryCode = parsePhoneNumberFromString(number)?.country;
  if (countryCode === undefined) throw numberTaken(number);
  const found = await stock.search({ countryCode, query: number, limit: maxFound }).catch((error: unknown) => {
    deps.log.error({ err: error }, "the price of a number could not be read");
    throw new Problem(
      "carrier-unreachable",
      "Your carrier isn’t responding, so nothing was bought. Try again in a moment.",
    );
  });
  const offered = found.find((one) => one.number === number);
  if (!offered) throw numberTaken(number);
  return offered.monthlyCostMicros;
}
