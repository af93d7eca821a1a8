import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Tx, WithTransaction } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { countAttempt } from "./sign-in-attempts.table.ts";

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
  await withTransaction({ system: `count attempts: ${what}`, by: limits[0]?.by ?? "" }, (tx) =>
    countWithin(tx, keyed),
  ).then(refuseWhenOver);
}

/** IPv6 addresses are counted by /64, which is one household's network. */
export function throttledAddress(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith("::ffff:")) return ip.replace("::ffff:", "");
  const [head = "", tail] = ip.split("::");
  const start = head.split(":");
  const end = tail === undefined ? [] : tail.split(":");
  const gap = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => "0");
  return [...start, ...gap, ...end].slice(0, 4).join(":");
}

/**
 * Seconds until the first exceeded limit ends, or null. Stops there, because a refused attempt must not use up shared
 * limits. Callers count kinds of keys in the same order, so that two can't deadlock.
 */
export async function countWithin(tx: Tx, limits: readonly AttemptLimit[]): Promise<number | null> {
  for (const { key, most } of limits) {
    const { attempts, windowSeconds } = await countAttempt(tx, key);
    if (attempts > most) return Math.max(1, windowSeconds);
  }
  return null;
}

export function refuseWhenOver(waitSeconds: number | null): void {
  if (waitSeconds === null) return;
  const minutes = Math.ceil(waitSeconds / 60);
  throw new Problem(
    "too-many-attempts",
    `Too many attempts. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    { retryAfterSeconds: waitSeconds },
  );
}

/** Addresses are personal data, and counting needs only their hashes. */
export const keyOf = (who: string): Buffer => createHash("sha256").update(who).digest();
