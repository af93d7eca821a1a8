import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Tx, WithTransaction } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import {
  countAttempt,
  countOf,
  forgetAttempts,
  selectKnownAddresses,
  takeBackAttempt,
} from "./sign-in-attempts.table.ts";

interface Limit {
  key: Buffer;
  /** Attempts per window of 15 minutes. */
  most: number;
}

/** Returns the counted attempts after a successful sign-in. */
export type Forgive = (tx: Tx) => Promise<void>;

/**
 * Counts an attempt before its outcome is known, so that a burst can't outrun the count. Nobody can lock an account:
 * under attack, each network that its person hasn't signed in from still gets a few attempts.
 */
export async function countSignInAttempt(
  withTransaction: WithTransaction,
  attempt: { email: string; ip: string },
): Promise<Forgive> {
  const network = throttledAddress(attempt.ip);
  const pair = hashed(`pair:${attempt.email}:${network}`);
  const address = hashed(`address:${network}`);
  const account = hashed(`account:${attempt.email}`);
  const strange = await withTransaction({ system: "count a sign-in attempt", by: network }, async (tx) => {
    const known = (await selectKnownAddresses(tx, attempt.email)).map(throttledAddress);
    const isStrange = !known.includes(network);
    const attacked = isStrange && (await countOf(tx, account)) >= mostOfAccount;
    const limits = [
      { key: pair, most: attacked ? mostUnderAttack : 10 },
      { key: address, most: 200 },
    ];
    const waitSeconds = await countWithin(tx, limits);
    // Only an allowed attempt is a guess at the password.
    if (waitSeconds === null && isStrange) await countAttempt(tx, account);
    return { waitSeconds, isStrange };
  });
  refuseWhenOver(strange.waitSeconds);
  return async (tx) => {
    await forgetAttempts(tx, pair);
    await takeBackAttempt(tx, address);
    if (strange.isStrange) await takeBackAttempt(tx, account);
  };
}

/** Guesses at one account from networks that its user hasn't signed in from. */
const mostOfAccount = 100;
/** Per such network from then on: enough to mistype a password once. */
const mostUnderAttack = 2;

/**
 * For other things to try: registering, guessing refresh tokens, guessing a current password. The strictest limit comes
 * first, because a refused attempt must not count towards the others.
 */
export async function countAttempts(
  withTransaction: WithTransaction,
  what: string,
  ...limits: { by: string; most: number }[]
): Promise<void> {
  const keyed = limits.map(({ by, most }) => ({ key: hashed(`${what}:${by}`), most }));
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
async function countWithin(tx: Tx, limits: readonly Limit[]): Promise<number | null> {
  for (const { key, most } of limits) {
    const { attempts, windowSeconds } = await countAttempt(tx, key);
    if (attempts > most) return Math.max(1, windowSeconds);
  }
  return null;
}

function refuseWhenOver(waitSeconds: number | null): void {
  if (waitSeconds === null) return;
  const minutes = Math.ceil(waitSeconds / 60);
  throw new Problem(
    "too-many-attempts",
    `Too many attempts. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    { retryAfterSeconds: waitSeconds },
  );
}

/** Addresses are personal data, and counting needs only their hashes. */
const hashed = (key: string): Buffer => createHash("sha256").update(key).digest();
