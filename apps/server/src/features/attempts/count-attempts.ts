import { createHash } from "node:crypto";
import type { Tx, WithTransaction } from "../../db/transaction.ts";
import { firstGroups } from "../../http/address-of.ts";
import { Problem } from "../../http/problem.ts";
import { countAttempt, takeBackAttempt } from "./sign-in-attempts.table.ts";

export interface AttemptLimit {
  key: Buffer;
  /** Attempts per window of 15 minutes. */
  most: number;
}

/**
 * Counts what can be tried often: registering, guessing refresh tokens, guessing a current password. The strictest limit
 * comes first, because a refused attempt must not count towards the others.
 */
export async function countAttempts(
  withTransaction: WithTransaction,
  what: string,
  ...limits: { by: string; most: number }[]
): Promise<void> {
  const keyed = limits.map(({ by, most }) => ({ key: keyOf(`${what}:${by}`), most }));
  await withTransaction({ system: `count attempts: ${what}`, by: limits[0]?.by ?? "" }, (tx) => countWithin(tx, keyed));
}

/** For a limit that strangers share, if the attempt had no effect. */
export const giveBackAttempt = (withTransaction: WithTransaction, what: string, by: string): Promise<void> =>
  withTransaction({ system: `count attempts: ${what}`, by }, (tx) => takeBackAttempt(tx, keyOf(`${what}:${by}`)));

/** IPv6 addresses are counted by /64, which is one household's network. */
export const throttledAddress = (ip: string): string => firstGroups(ip, 4);

/**
 * Rolls everything back at the first exceeded limit: a refused attempt must neither use up shared limits nor leave a
 * row, or a stranger's refused attempts would fill the table. Callers count kinds of keys in the same order, so that
 * two can't deadlock. @throws too-many-attempts
 */
export async function countWithin(tx: Tx, limits: readonly AttemptLimit[]): Promise<void> {
  for (const { key, most } of limits) {
    const { attempts, windowSeconds } = await countAttempt(tx, key);
    if (attempts > most) throw tooMany(Math.max(1, windowSeconds));
  }
}

function tooMany(waitSeconds: number): Problem {
  const minutes = Math.ceil(waitSeconds / 60);
  return new Problem(
    "too-many-attempts",
    `Too many attempts. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    { retryAfterSeconds: waitSeconds },
  );
}

/** Addresses are personal data, and counting needs only their hashes. */
export const keyOf = (who: string): Buffer => createHash("sha256").update(who).digest();
