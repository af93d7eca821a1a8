import { type Generated, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

export interface PasswordResetTable {
  id: string;
  user_id: string;
  /** SHA-256 of the mailed token. */
  token_hash: Buffer;
  created_at: Generated<string>;
  expires_at: string;
  used_at: string | null;
}

/** Keeps strangers from flooding a user's inbox. */
const maxPerHour = 5;

/**
 * False if the person has been mailed often enough for now. A retry of the same job finds its own row and returns true,
 * so that a failed mail is sent later, valid for an hour from then. A revoked link stays revoked.
 */
export async function insertPasswordReset(
  tx: Tx,
  reset: { id: string; userId: string; tokenHash: Buffer },
): Promise<boolean> {
  // Taking turns, so that a burst can't exceed the count.
  await tx.selectFrom("users").select("id").where("id", "=", reset.userId).forNoKeyUpdate().execute();
  const { rows } = await sql`
    insert into password_resets (id, user_id, token_hash, expires_at)
    select ${reset.id}::uuid, ${reset.userId}::uuid, ${reset.tokenHash}, now() + interval '1 hour'
    where (select count(*) from password_resets
      where user_id = ${reset.userId}::uuid and id != ${reset.id}::uuid and created_at > now() - interval '1 hour') < ${maxPerHour}
    on conflict (id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
      where password_resets.used_at is null
    returning id`.execute(tx);
  return rows.length > 0;
}

/** Uses up the link and all others of that person. Undefined if it is unknown, used or expired. */
export async function takePasswordReset(tx: Tx, tokenHash: Buffer): Promise<{ userId: string } | undefined> {
  const taken = await tx
    .updateTable("password_resets")
    .set({ used_at: sql<string>`now()` })
    .where("token_hash", "=", tokenHash)
    .where("used_at", "is", null)
    .where("expires_at", ">", sql<string>`now()`)
    .returning("user_id")
    .executeTakeFirst();
  if (taken === undefined) return undefined;
  await voidResets(tx, taken.user_id);
  return { userId: taken.user_id };
}

export async function isResetOpen(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const open = await tx
    .selectFrom("password_resets")
    .select("id")
    .where("token_hash", "=", tokenHash)
    .where("used_at", "is", null)
    .where("expires_at", ">", sql<string>`now()`)
    .executeTakeFirst();
  return open !== undefined;
}

/** Call it on every change to how a person signs in: an earlier mailed link must not undo it. */
export async function voidResets(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable("password_resets")
    .set({ used_at: sql<string>`now()` })
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .execute();
}

export async function deletePastPasswordResets(tx: Tx): Promise<void> {
  await sql`delete from password_resets where created_at < now() - interval '1 day'`.execute(tx);
}
