import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { confirmedIfRequired, passwordRequired } from "../users/confirm-password.ts";
import {
  countBoughtToday,
  countNumbers,
  findOrderByIdempotencyKey,
  lockNumbers,
  type NumberOrder,
} from "./phone-numbers.table.ts";

/** In 24 hours, per organisation. Further ones need the person's password, which a stolen session doesn't have. */
const boughtWithoutPassword = 10;

interface Purchase {
  caller: Member;
  idempotencyKey: string | null;
  requestHash: string;
  currentPassword?: string | undefined;
}

/**
 * The order of an earlier request with the key, or a new one by `place`. The second of two concurrent requests can't
 * place the order any more, and finds the first one's.
 */
export async function placeOrderOnce(
  { database }: { database: Database },
  { caller, idempotencyKey, requestHash, currentPassword }: Purchase,
  place: (isConfirmed: boolean) => Promise<NumberOrder>,
): Promise<NumberOrder> {
  async function findEarlier(): Promise<NumberOrder | undefined> {
    if (idempotencyKey === null) return undefined;
    const key = { organisationId: caller.organisation.id, orderedBy: caller.userId, idempotencyKey };
    const earlier = await database.withTransaction(scopeOf(caller), (tx) => findOrderByIdempotencyKey(tx, key));
    if (earlier && earlier.requestHash !== requestHash)
      throw new Problem(
        "idempotency-key-reused",
        "This key was used for another number. Use a new one for each purchase.",
      );
    return earlier;
  }
  const earlier = await findEarlier();
  if (earlier) return earlier;
  try {
    return await confirmedIfRequired(database, caller, currentPassword, place);
  } catch (error) {
    const placed = await findEarlier();
    if (!placed) throw error;
    return placed;
  }
}

/** Throws if the organisation can't buy another number now. Locks its numbers, so that purchases count each other. */
export async function admitPurchase(
  tx: Tx,
  { organisationId, maxNumbers, isConfirmed }: { organisationId: string; maxNumbers: number; isConfirmed: boolean },
): Promise<void> {
  await lockNumbers(tx, organisationId);
  const { owned, unsettled } = await countNumbers(tx, organisationId);
  if (owned + unsettled >= maxNumbers)
    throw new Problem(
      "quota-reached",
      `Your organisation has ${maxNumbers} phone numbers, which is the limit. Release one you no longer need, or ask the administrator of this server to raise the limit.`,
    );
  if (!isConfirmed && (await countBoughtToday(tx, organisationId)) >= boughtWithoutPassword)
    throw passwordRequired(`buy more than ${boughtWithoutPassword} numbers in 24 hours`);
}
