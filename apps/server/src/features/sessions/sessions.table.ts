import type { Session } from "@leadline/contract/sessions";
import { type Generated, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface SessionTable {
  id: string;
  user_id: string;
  created_at: Generated<string>;
  last_used_at: Generated<string>;
  expires_at: string;
  ended_at: string | null;
  ip_address: string | null;
  user_agent: string | null;
}

export interface RefreshTokenTable {
  /** SHA-256 of the token. The token itself isn't stored. */
  hash: Buffer;
  session_id: string;
  user_id: string;
  child_hash: Buffer | null;
  /** The key it was issued under (secrets.ts). It expires with that key. */
  key_id: string;
  used_at: string | null;
  expires_at: string;
}

/** The longest a person stays signed in without, and with, using the session. */
const absoluteExpiry = sql<string>`now() + interval '30 days'`;
const idleExpiry = sql<string>`now() + interval '7 days'`;

export async function insertSession(
  tx: Tx,
  session: {
    id: string;
    userId: string;
    ipAddress: string;
    userAgent: string | null;
    tokenHash: Buffer;
    keyId: string;
  },
): Promise<void> {
  await tx
    .insertInto("sessions")
    .values({
      id: session.id,
      user_id: session.userId,
      expires_at: absoluteExpiry,
      ip_address: session.ipAddress,
      user_agent: session.userAgent,
    })
    .execute();
  await insertRefreshToken(tx, {
    hash: session.tokenHash,
    keyId: session.keyId,
    sessionId: session.id,
    userId: session.userId,
  });
}

export async function insertRefreshToken(
  tx: Tx,
  token: { hash: Buffer; keyId: string; sessionId: string; userId: string },
): Promise<void> {
  await tx
    .insertInto("refresh_tokens")
    .values({
      hash: token.hash,
      key_id: token.keyId,
      session_id: token.sessionId,
      user_id: token.userId,
      expires_at: idleExpiry,
    })
    .execute();
}

export async function selectOpenSessions(tx: Tx, userId: string): Promise<Omit<Session, "current">[]> {
  const rows = await tx
    .selectFrom("sessions")
    .select(["id", "created_at", "last_used_at", "ip_address", "user_agent"])
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", sql<string>`now()`)
    .where("last_used_at", ">", sql<string>`now() - interval '7 days'`)
    .orderBy("last_used_at", "desc")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
  }));
}

export async function selectPeopleWithSession(tx: Tx, userIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select("sessions.user_id")
    .distinct()
    .where("sessions.user_id", "in", userIds)
    .where("sessions.ended_at", "is", null)
    .where("sessions.expires_at", ">", sql<string>`now()`)
    .where("users.disabled_at", "is", null)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Ends all or some of a user's sessions, and with them their streams. */
export async function endSessions(
  tx: Tx,
  which: { userId: string; sessionId?: string; exceptSessionId?: string },
): Promise<number> {
  let ending = tx
    .updateTable("sessions")
    .set({ ended_at: sql<string>`now()` })
    .where("user_id", "=", which.userId)
    .where("ended_at", "is", null);
  if (which.sessionId !== undefined) ending = ending.where("id", "=", which.sessionId);
  if (which.exceptSessionId !== undefined) ending = ending.where("id", "!=", which.exceptSessionId);
  const ended = await ending.returning("id").execute();
  if (ended.length > 0) await notifySessionChange(tx, which.userId);
  return ended.length;
}

/** When the transaction commits, notifies every process to check again what this person's sessions may see. */
export async function notifySessionChange(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_notify('leadline_sessions', ${userId})`.execute(tx);
}

export interface FoundRefreshToken {
  session_id: string;
  user_id: string;
  /** Neither token nor session has expired, the session hasn't ended and the user isn't disabled. */
  alive: boolean;
  used: boolean;
  child_hash: Buffer | null;
  /** Used less than 10 s ago, while its child hasn't been used. */
  in_grace: boolean;
}

/** Locks the session first, so that refreshes of one chain take turns, then reads by the database's clock. */
export async function findRefreshToken(
  tx: Tx,
  hash: Buffer,
  acceptedKeyIds: readonly string[],
): Promise<FoundRefreshToken | undefined> {
  await sql`
    select 1 from sessions where id = (select session_id from refresh_tokens where hash = ${hash}) for update`.execute(
    tx,
  );
  const { rows } = await sql<FoundRefreshToken>`
    select t.session_id, t.user_id,
      s.ended_at is null and s.expires_at > now() and u.disabled_at is null
        and (t.used_at is not null or t.expires_at > now())
        and t.key_id = any(${acceptedKeyIds}) as alive,
      t.child_hash,
      t.used_at is not null as used,
      coalesce(t.used_at > clock_timestamp() - interval '10 seconds' and child.used_at is null, false) as in_grace
    from refresh_tokens t
    join sessions s on s.id = t.session_id
    join users u on u.id = t.user_id
    left join refresh_tokens child on child.hash = t.child_hash
    where t.hash = ${hash}`.execute(tx);
  return rows[0];
}

export async function markRefreshTokenUsed(
  tx: Tx,
  token: { hash: Buffer; childHash: Buffer; sessionId: string },
): Promise<void> {
  const now = sql<string>`clock_timestamp()`;
  await tx
    .updateTable("refresh_tokens")
    .set({ used_at: now, child_hash: token.childHash })
    .where("hash", "=", token.hash)
    .execute();
  await tx.updateTable("sessions").set({ last_used_at: now }).where("id", "=", token.sessionId).execute();
}

export async function findSessionOfToken(
  tx: Tx,
  hash: Buffer,
): Promise<{ session_id: string; user_id: string } | undefined> {
  return tx.selectFrom("refresh_tokens").select(["session_id", "user_id"]).where("hash", "=", hash).executeTakeFirst();
}

/** Ended sessions are kept for 90 days, to investigate thefts. */
export async function deletePastSessions(tx: Tx): Promise<void> {
  await sql`
    delete from sessions where least(ended_at, expires_at) < now() - interval '90 days'`.execute(tx);
  await sql`delete from refresh_tokens where expires_at < now() - interval '30 days'`.execute(tx);
}

/** The addresses of the user's former sessions, newest first. */
export async function selectKnownAddresses(tx: Tx, email: string): Promise<string[]> {
  const rows = await tx
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select("sessions.ip_address")
    .where("users.email", "=", email)
    .orderBy("sessions.created_at", "desc")
    .limit(100)
    .execute();
  return rows.flatMap(({ ip_address }) => ip_address ?? []);
}
