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
  /** SHA-256 of the token; the token itself is kept nowhere. */
  hash: Buffer;
  session_id: string;
  user_id: string;
  child_hash: Buffer | null;
  used_at: string | null;
  expires_at: string;
}

export interface SignInAttemptTable {
  key: Buffer;
  attempts: number;
  window_ends_at: string;
}

/** The longest a person stays signed in without, and with, using the session. */
const absoluteExpiry = sql<string>`now() + interval '30 days'`;
const idleExpiry = sql<string>`now() + interval '7 days'`;

export async function insertSession(
  tx: Tx,
  session: { id: string; userId: string; ipAddress: string; userAgent: string | null; tokenHash: Buffer },
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
  await insertRefreshToken(tx, { hash: session.tokenHash, sessionId: session.id, userId: session.userId });
}

export async function insertRefreshToken(
  tx: Tx,
  token: { hash: Buffer; sessionId: string; userId: string },
): Promise<void> {
  await tx
    .insertInto("refresh_tokens")
    .values({ hash: token.hash, session_id: token.sessionId, user_id: token.userId, expires_at: idleExpiry })
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

/** Ends a person's open sessions, all or some, and tells every process, which then ends their streams. */
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
  for (const { id } of ended) await sql`select pg_notify('leadline_sessions', ${id})`.execute(tx);
  return ended.length;
}
