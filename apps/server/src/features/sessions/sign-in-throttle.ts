import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { sql } from "kysely";
import type { Tx, WithTransaction } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";

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
    if (!(await knowsAddress(tx, attempt))) limits.push({ key: account, most: 100 });
    return countAttempt(tx, limits);
  }).then(refuseWhenOver);
}

export async function forgiveSignInAttempt(tx: Tx, attempt: { email: string; ip: string }): Promise<void> {
  const { pair, account, address } = signInKeys(attempt);
  await tx.deleteFrom("sign_in_attempts").where("key", "=", hashed(pair)).execute();
  await tx
    .updateTable("sign_in_attempts")
    .set({ attempts: sql<number>`greatest(attempts - 1, 0)` })
    .where("key", "in", [hashed(account), hashed(address)].toSorted(Buffer.compare))
    .execute();
}

/** For the other things a stranger may try: registering, guessing refresh tokens, guessing a current password. */
export async function countAttempts(
  withTransaction: WithTransaction,
  limit: { what: string; by: string; most: number },
): Promise<void> {
  await withTransaction({ system: `count attempts: ${limit.what}` }, (tx) =>
    countAttempt(tx, [{ key: `${limit.what}:${limit.by}`, most: limit.most }]),
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

async function knowsAddress(tx: Tx, attempt: { email: string; ip: string }): Promise<boolean> {
  const session = await tx
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select("sessions.id")
    .where("users.email", "=", attempt.email)
    .where("sessions.ip_address", "=", attempt.ip)
    .limit(1)
    .executeTakeFirst();
  return session !== undefined;
}

/** Seconds until the first limit that is over ends, or null. In the order of keys, so that two at once cannot deadlock. */
async function countAttempt(tx: Tx, limits: Limit[]): Promise<number | null> {
  let waitSeconds: number | null = null;
  const ordered = limits.map(({ key, most }) => ({ key: hashed(key), most })).toSorted((a, b) => a.key.compare(b.key));
  for (const { key, most } of ordered) {
    const { rows } = await sql<{ attempts: number; seconds: number }>`
      insert into sign_in_attempts as had (key, attempts, window_ends_at)
      values (${key}, 1, now() + interval '15 minutes')
      on conflict (key) do update set
        attempts = case when had.window_ends_at < now() then 1 else had.attempts + 1 end,
        window_ends_at = case when had.window_ends_at < now() then excluded.window_ends_at else had.window_ends_at end
      returning attempts, ceil(extract(epoch from window_ends_at - now()))::int as seconds`.execute(tx);
    const row = rows[0];
    if (row && row.attempts > most) waitSeconds = Math.max(waitSeconds ?? 1, row.seconds);
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
