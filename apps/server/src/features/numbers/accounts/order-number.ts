import { createHash, randomUUID } from "node:crypto";
import type { NumberOrder as Told, orderNumber as endpoint } from "@leadline/contract/number-orders";
import type { Provisioner } from "@leadline/adapter-kit/provisioner";
import type { z } from "zod";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import type { NumberDeps } from "../number-deps.ts";
import { findOrder, findOrderByIdempotencyKey, insertOrder, type NumberOrder } from "../phone-numbers.table.ts";
import { numberTaken } from "../settle-order.ts";
import { toTold } from "./list-number-orders.ts";
import { toNumberProblem } from "./number-problem.ts";
import { settleWhileAsked } from "./settle-account-order.ts";
import { typeOfNumber } from "./type-of-number.ts";

interface OrderNumber {
  caller: Member;
  wish: z.output<(typeof endpoint)["body"]>;
  idempotencyKey: string | null;
}

/** Stores the order, then asks the vendor: if a process is killed in between, resume-orders.ts finishes the order. */
export async function orderNumber(deps: NumberDeps, asked: OrderNumber): Promise<Told> {
  const order = (await findEarlier(deps, asked)) ?? (await placeOrFind(deps, asked));
  const settled = await settleWhileAsked(deps, order);
  if ("refused" in settled) throw toNumberProblem(settled.refused);
  return toTold(deps, settled.order);
}

const hashOf = (wish: object): string => createHash("sha256").update(JSON.stringify(wish)).digest("hex");

async function findEarlier(
  deps: NumberDeps,
  { caller, wish, idempotencyKey }: OrderNumber,
): Promise<NumberOrder | undefined> {
  if (idempotencyKey === null) return undefined;
  const organisationId = caller.organisation.id;
  const key = { organisationId, orderedBy: caller.userId, idempotencyKey };
  const earlier = await deps.database.withTransaction({ organisationId, userId: caller.userId }, (tx) =>
    findOrderByIdempotencyKey(tx, key),
  );
  if (earlier && earlier.requestHash !== hashOf(wish))
    throw new Problem(
      "idempotency-key-reused",
      "This key was used for another number. Use a new one for each purchase.",
    );
  return earlier;
}

/** The second of two identical concurrent requests can't place the order any more, and finds the first one's. */
async function placeOrFind(deps: NumberDeps, asked: OrderNumber): Promise<NumberOrder> {
  try {
    return await placeOrder(deps, asked);
  } catch (error) {
    const placed = await findEarlier(deps, asked);
    if (!placed) throw error;
    return placed;
  }
}

async function placeOrder(deps: NumberDeps, asked: OrderNumber): Promise<NumberOrder> {
  const { caller, wish, idempotencyKey } = asked;
  const { accountId, number, countryCode } = wish;
  const organisationId = caller.organisation.id;
  const { monthlyCostMicros, account } = await deps.accounts
    .use({ organisationId, id: accountId }, async (provisioner, used) => ({
      monthlyCostMicros: await readPrice(provisioner, { number, countryCode }),
      account: used,
    }))
    .catch((error: unknown) => {
      throw toNumberProblem(error, " Nothing was bought.");
    });
  const id = randomUUID();
  const order = await deps.database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    const written = await insertOrder(tx, {
      id,
      organisationId,
      number,
      carrier: account.vendor,
      ofAccount: { id: accountId, connectionId: account.carrierId, countryCode, monthlyCostMicros },
      orderedBy: caller.userId,
      idempotencyKey,
      requestHash: idempotencyKey === null ? null : hashOf(wish),
    });
    return written ? findOrder(tx, { organisationId, id }) : undefined;
  });
  if (!order) throw numberTaken(number);
  return order;
}

/** The price, after checking that the number is for sale and its requirements are met. */
async function readPrice(
  provisioner: Provisioner,
  { number, countryCode }: { number: string; countryCode: string },
): Promise<number> {
  const [found, requirements] = await Promise.all([
    provisioner.searchNumbers({ countryCode, query: number, limit: 5 }),
    provisioner.requirements(countryCode, typeOfNumber(number), number),
  ]);
  const offered = found.find((each) => each.number === number);
  if (!offered) throw numberTaken(number);
  const missing = requirements.filter(({ met }) => !met);
  if (missing.length > 0)
    throw new Problem("carrier-refused", `${missing.map(({ sentence }) => sentence).join(" ")} Nothing was bought.`);
  return offered.monthlyCostMicros;
}
