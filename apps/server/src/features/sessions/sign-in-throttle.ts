import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Tx, WithTransaction } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { countAttempt, forgetAttempts, selectKnownAddresses, takeBackAttempt } from "./sign-in-attempts.table.ts";

interface Limit {
  key: string;
  /** Attempts in a window of 15 minutes. */
  most: number;
}

/**
 * An attempt counts before its outcome is known, so a burst cannot outrun the count; a success gives it back.
 * An account as a whole is limited too, but not from an address it has signed in from before: a stranger locks nobody out.
 */
export async function countSignInAttempt(
  withTransaction: WithTransaction,
  attempt: { email: string; ip: string },
): Promise<void> {
  const { pair, account, address } = signInKeys(attempt);
  await withTransaction({ system: "count a sign-in attempt" }, async (tx) => {
    const limits: Limit[] = [
      { key: pair, most: 10 },
      { key: address, most: 200 },
    ];
    const known = (await selectKnownAddresses(tx, attempt.email)).map(throttledAddress);
    if (!known.includes(throttledAddress(attempt.ip))) limits.push({ key: account, most: 100 });
    return countWithin(tx, limits);
  }).then(refuseWhenOver);
}

export async function forgiveSignInAttempt(tx: Tx, attempt: { email: string; ip: string }): Promise<void> {
  const { pair, account, address } = signInKeys(attempt);
  await forgetAttempts(tx, hashed(pair));
  await takeBackAttempt(tx, [hashed(account), hashed(address)]);
}

/** For the other things a stranger may try: registering, guessing refresh tokens, guessing a current password. */
export async function countAttempts(
  withTransaction: WithTransaction,
  limit: { what: string; by: string; most: number },
): Promise<void> {
  await withTransaction({ system: `count attempts: ${limit.what}` }, (tx) =>
    countWithin(tx, [{ key: `${limit.what}:${limit.by}`, most: limit.most }]),
  ).then(refuseWhenOver);
}

/** A network gets one count where a household gets a whole /64 of IPv6. */
export function throttledAddress(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith("::ffff:")) return ip.replace("::ffff:", "");
  const [head = "", tail] = ip.split("::");
  const start = head.split(":");
  const end = tail === undefined ? [] : tail.split(":");
  const gap = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => "0");
  return [...start, ...gap, ...end].slice(0, 4).join(":");
}

function signInKeys({ email, ip }: { email: string; ip: string }) {
  const network = throttledAddress(ip);
  return { pair: `pair:${email}:${network}`, account: `account:${email}`, address: `address:${network}` };
}

/** Seconds until the first limit that is over ends, or null. In the order of keys, so that two at once cannot deadlock. */
async function countWithin(tx: Tx, limits: Limit[]): Promise<number | null> {
  let waitSeconds: number | null = null;
  const ordered = limits.map(({ key, most }) => ({ key: hashed(key), most })).toSorted((a, b) => a.key.compare(b.key));
  for (const { key, most } of ordered) {
    const counted = await countAttempt(tx, key);
    if (counted.attempts > most) waitSeconds = Math.max(waitSeconds ?? 1, counted.windowSeconds);
  }
  return waitSeconds;
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

/** Addresses are personal; a count needs none of them. */
const hashed = (key: string): Buffer => createHash("sha256").update(key).digest();
