import { type Generated, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** Logins that have started and not returned yet. */
export interface HostedLoginTable {
  /** SHA-256 of the state. */
  state_hash: Buffer;
  expires_at: string;
}

/** Links a provider's subject, which it never reassigns, to a person. */
export interface IdentityTable {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: Generated<string>;
}

export async function insertHostedLogin(tx: Tx, stateHash: Buffer): Promise<void> {
  await tx
    .insertInto("hosted_logins")
    .values({ state_hash: stateHash, expires_at: sql<string>`now() + interval '10 minutes'` })
    .execute();
}

/** False if it never started, has already returned, or took too long. */
export async function takeHostedLogin(tx: Tx, stateHash: Buffer): Promise<boolean> {
  const taken = await tx
    .deleteFrom("hosted_logins")
    .where("state_hash", "=", stateHash)
    .where("expires_at", ">", sql<string>`now()`)
    .returning("state_hash")
    .executeTakeFirst();
  return taken !== undefined;
}

export async function findIdentity(tx: Tx, key: { issuer: string; subject: string }): Promise<string | undefined> {
  const row = await tx
    .selectFrom("identities")
    .select("user_id")
    .where("issuer", "=", key.issuer)
    .where("subject", "=", key.subject)
    .executeTakeFirst();
  return row?.user_id;
}

/** False if the person or the account is already linked to another. */
export async function insertIdentity(
  tx: Tx,
  identity: { issuer: string; subject: string; userId: string },
): Promise<boolean> {
  const inserted = await tx
    .insertInto("identities")
    .values({ issuer: identity.issuer, subject: identity.subject, user_id: identity.userId })
    .onConflict((conflict) => conflict.doNothing())
    .returning("user_id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function deletePastHostedLogins(tx: Tx): Promise<void> {
  await sql`delete from hosted_logins where expires_at < now()`.execute(tx);
}
