import { type Generated, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

export interface CrmGrantTable {
  integration_id: string;
  organisation_id: string;
  sealed_grant: string;
  /** Grows with every refresh, so that waiting workers notice it. */
  generation: Generated<number>;
  changed_at: Generated<string>;
  /** Until then one worker is refreshing. Null if none is. */
  refreshing_until: string | null;
  /** The CRM has refused to refresh it. */
  is_refused: Generated<boolean>;
}

export interface CrmLoginTable {
  state_hash: Buffer;
  organisation_id: string;
  integration_id: string;
  user_id: string;
  sealed_verifier: string;
  callback_url: string;
  expires_at: string;
  /** The hash of the code that came with the state. Null until it does. */
  used_code_hash: Buffer | null;
}

interface Key {
  organisationId: string;
  integrationId: string;
}
export interface SealedGrant {
  sealed: string;
  generation: number;
  isRefused: boolean;
}

export async function findGrant(tx: Tx, key: Key): Promise<SealedGrant | null> {
  const row = await tx
    .selectFrom("crm_grants")
    .select(["sealed_grant", "generation", "is_refused"])
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .executeTakeFirst();
  return row ? { sealed: row.sealed_grant, generation: row.generation, isRefused: row.is_refused } : null;
}

/** Takes the lease for the grant as it was read. False if it has changed, was refused, or somebody else is refreshing it. */
export async function leaseRefresh(tx: Tx, key: Key, lease: { generation: number; leaseMs: number }): Promise<boolean> {
  const updated = await tx
    .updateTable("crm_grants")
    .set({ refreshing_until: sql<string>`clock_timestamp() + ${lease.leaseMs} * interval '1 millisecond'` })
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .where("generation", "=", lease.generation)
    .where("is_refused", "=", false)
    .where(({ or, eb }) =>
      or([eb("refreshing_until", "is", null), eb("refreshing_until", "<", sql<string>`clock_timestamp()`)]),
    )
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** Ends the lease, with or without a new grant. False, and writes nothing, if the grant has changed. */
export async function endRefresh(
  tx: Tx,
  key: Key,
  refresh: { generation: number; sealed: string | null; isRefused: boolean },
): Promise<boolean> {
  const { generation, sealed, isRefused } = refresh;
  const renewed = {
    sealed_grant: sealed ?? "",
    generation: generation + 1,
    changed_at: sql<string>`clock_timestamp()`,
  };
  const updated = await tx
    .updateTable("crm_grants")
    .set({ refreshing_until: null, is_refused: isRefused, ...(sealed === null ? {} : renewed) })
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .where("generation", "=", generation)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

export async function putGrant(tx: Tx, key: Key, sealed: string): Promise<number> {
  const row = await tx
    .insertInto("crm_grants")
    .values({
      integration_id: key.integrationId,
      organisation_id: key.organisationId,
      sealed_grant: sealed,
      // Random, so that a worker still refreshing a grant that was deleted since doesn't take this one for it.
      generation: sql<number>`1 + floor(random() * 1000000000)::int`,
    })
    .onConflict((conflict) =>
      conflict.column("integration_id").doUpdateSet({
        sealed_grant: sealed,
        generation: sql<number>`crm_grants.generation + 1`,
        changed_at: sql<string>`clock_timestamp()`,
        refreshing_until: null,
        is_refused: false,
      }),
    )
    .returning("generation")
    .executeTakeFirstOrThrow();
  return row.generation;
}

export async function deleteGrant(tx: Tx, key: Key): Promise<void> {
  await tx
    .deleteFrom("crm_grants")
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .execute();
}

/** Of all organisations. Needs the system scope. */
export async function selectGrants(tx: Tx): Promise<(Key & { sealed: string })[]> {
  const rows = await tx
    .selectFrom("crm_grants")
    .select(["integration_id", "organisation_id", "sealed_grant"])
    .execute();
  return rows.map((row) => ({
    integrationId: row.integration_id,
    organisationId: row.organisation_id,
    sealed: row.sealed_grant,
  }));
}

/** Skips a grant that was refreshed meanwhile. */
export async function replaceGrant(tx: Tx, grant: Key & { sealed: string; renewed: string }): Promise<void> {
  await tx
    .updateTable("crm_grants")
    .set({ sealed_grant: grant.renewed })
    .where("integration_id", "=", grant.integrationId)
    .where("sealed_grant", "=", grant.sealed)
    .execute();
}

export interface NewLogin {
  stateHash: Buffer;
  organisationId: string;
  integrationId: string;
  userId: string;
  sealedVerifier: string;
  callbackUrl: string;
}

/** Valid for ten minutes by the database's clock. Also deletes the organisation's expired ones. */
export async function insertLogin(tx: Tx, login: NewLogin): Promise<void> {
  await tx
    .deleteFrom("crm_logins")
    .where("expires_at", "<", sql<string>`clock_timestamp()`)
    .execute();
  await tx
    .insertInto("crm_logins")
    .values({
      state_hash: login.stateHash,
      organisation_id: login.organisationId,
      integration_id: login.integrationId,
      user_id: login.userId,
      sealed_verifier: login.sealedVerifier,
      callback_url: login.callbackUrl,
      expires_at: sql<string>`clock_timestamp() + interval '10 minutes'`,
      used_code_hash: null,
    })
    .execute();
}

interface ReturnedLogin extends Key {
  stateHash: Buffer;
  codeHash: Buffer;
  userId: string;
}

const columnsOf = ({ stateHash, organisationId, integrationId, userId }: ReturnedLogin) => ({
  state_hash: stateHash,
  organisation_id: organisationId,
  integration_id: integrationId,
  user_id: userId,
});

/** Marks a login as used, so that it works only once. Null if it isn't this person's, in this organisation, now. */
export async function takeLogin(
  tx: Tx,
  key: ReturnedLogin,
): Promise<{ sealedVerifier: string; callbackUrl: string } | null> {
  const row = await tx
    .updateTable("crm_logins")
    .set({ used_code_hash: key.codeHash })
    .where(({ and }) => and(columnsOf(key)))
    .where("used_code_hash", "is", null)
    .where("expires_at", ">", sql<string>`clock_timestamp()`)
    .returning(["sealed_verifier", "callback_url"])
    .executeTakeFirst();
  return row ? { sealedVerifier: row.sealed_verifier, callbackUrl: row.callback_url } : null;
}

/** Whether this person has returned with the same code before, and it connected. */
export async function isUsedLogin(tx: Tx, key: ReturnedLogin): Promise<boolean> {
  const row = await tx
    .selectFrom("crm_logins")
    .select("state_hash")
    .where(({ and }) => and({ ...columnsOf(key), used_code_hash: key.codeHash }))
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes a failed login: its response is refused from now on, like any unknown one. */
export async function forgetLogin(tx: Tx, key: ReturnedLogin): Promise<void> {
  await tx
    .deleteFrom("crm_logins")
    .where(({ and }) => and(columnsOf(key)))
    .execute();
}
