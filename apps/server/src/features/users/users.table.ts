import { type Generated, sql } from "kysely";
import type { User } from "@leadline/contract/users";
import type { Organisation } from "@leadline/contract/organisations";
import type { Tx } from "../../db/transaction.ts";
import { readableEmail } from "./readable-email.ts";

export interface UserTable {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  avatar: string | null;
  active_organisation_id: string | null;
  disabled_at: string | null;
  created_at: Generated<string>;
}

/** Separate from users, because colleagues can read each other's rows there. */
export interface PasswordTable {
  user_id: string;
  /** An argon2id hash in PHC string format. */
  hash: string;
  changed_at: Generated<string>;
}

type UserRow = Pick<UserTable, "id" | "first_name" | "last_name" | "email" | "avatar">;

export function toUser(row: UserRow, activeOrganisation: Organisation | null): User {
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: readableEmail(row.email),
    avatar: row.avatar,
    activeOrganisation,
  };
}

const userColumns = ["id", "first_name", "last_name", "email", "avatar"] as const;

export async function findUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  return tx.selectFrom("users").select(userColumns).where("id", "=", id).executeTakeFirst();
}

/** A user of that organisation. */
export async function findColleague(tx: Tx, key: { id: string; organisationId: string }): Promise<UserRow | undefined> {
  return tx
    .selectFrom("users")
    .innerJoin("memberships", "memberships.user_id", "users.id")
    .select(["users.id", "first_name", "last_name", "email", "avatar"])
    .where("users.id", "=", key.id)
    .where("memberships.organisation_id", "=", key.organisationId)
    .executeTakeFirst();
}

/** Locks the question until the transaction ends, so that only one of two is first. Needs the system scope. */
export async function hasAnybodyRegistered(tx: Tx): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('first account', 0))`.execute(tx);
  return (await tx.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** False if the email is taken. */
export async function insertUser(
  tx: Tx,
  user: { id: string; firstName: string; lastName: string; email: string; passwordHash: string | null },
): Promise<boolean> {
  const inserted = await tx
    .insertInto("users")
    .values({ id: user.id, first_name: user.firstName, last_name: user.lastName, email: user.email })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted === undefined) return false;
  if (user.passwordHash !== null) await updatePassword(tx, user.id, user.passwordHash);
  return true;
}

export interface SignInRow {
  id: string;
  hash: string;
  disabled_at: string | null;
}

export async function findSignIn(tx: Tx, by: { email: string } | { id: string }): Promise<SignInRow | undefined> {
  return tx
    .selectFrom("users")
    .innerJoin("passwords", "passwords.user_id", "users.id")
    .select(["users.id", "hash", "disabled_at"])
    .where((where) => ("email" in by ? where("email", "=", by.email) : where("users.id", "=", by.id)))
    .executeTakeFirst();
}

export async function findByEmail(
  tx: Tx,
  email: string,
): Promise<Pick<UserTable, "id" | "first_name" | "disabled_at"> | undefined> {
  return tx
    .selectFrom("users")
    .select(["id", "first_name", "disabled_at"])
    .where("email", "=", email)
    .executeTakeFirst();
}

/** A deleted person counts as disabled. */
export async function findDisabledAt(tx: Tx, id: string): Promise<string | null> {
  const row = await tx.selectFrom("users").select("disabled_at").where("id", "=", id).executeTakeFirst();
  return row === undefined ? "-infinity" : row.disabled_at;
}

export async function updateNames(
  tx: Tx,
  id: string,
  change: { firstName?: string | undefined; lastName?: string | undefined; email?: string | undefined },
): Promise<void> {
  const set = {
    ...(change.firstName === undefined ? {} : { first_name: change.firstName }),
    ...(change.lastName === undefined ? {} : { last_name: change.lastName }),
    ...(change.email === undefined ? {} : { email: change.email }),
  };
  if (Object.keys(set).length > 0) await tx.updateTable("users").set(set).where("id", "=", id).execute();
}

export async function updatePassword(tx: Tx, userId: string, hash: string): Promise<void> {
  await tx
    .insertInto("passwords")
    .values({ user_id: userId, hash })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet((expression) => ({ hash, changed_at: expression.fn<string>("now") })),
    )
    .execute();
}

export async function deletePassword(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("passwords").where("user_id", "=", userId).execute();
}

export async function updateActiveOrganisation(tx: Tx, userId: string, organisationId: string): Promise<void> {
  await tx.updateTable("users").set({ active_organisation_id: organisationId }).where("id", "=", userId).execute();
}

/**
 * Moves people active in it to their oldest other organisation, or to none. Waits for calls that are being started.
 * Needs the system scope.
 */
export async function moveFromOrganisation(tx: Tx, organisationId: string): Promise<void> {
  await sql`
    update users set active_organisation_id = (
      select organisations.id from memberships join organisations on organisations.id = memberships.organisation_id
      where memberships.user_id = users.id and organisations.id <> ${organisationId}
      order by organisations.created_at, organisations.id limit 1
    ) where active_organisation_id = ${organisationId}`.execute(tx);
}

export async function emailIsFree(tx: Tx, wish: { email: string; userId: string }): Promise<boolean> {
  const holder = await tx
    .selectFrom("users")
    .select("id")
    .where("email", "=", wish.email)
    .where("id", "!=", wish.userId)
    .executeTakeFirst();
  return holder === undefined;
}

export async function updateAvatar(tx: Tx, userId: string, avatar: string | null): Promise<void> {
  await tx.updateTable("users").set({ avatar }).where("id", "=", userId).execute();
}

/** Locks the active organisation. False if it is another one by now. */
export async function lockActiveOrganisation(
  tx: Tx,
  key: { userId: string; organisationId: string },
): Promise<boolean> {
  const held = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", key.userId)
    .where("active_organisation_id", "=", key.organisationId)
    .forShare()
    .executeTakeFirst();
  return held !== undefined;
}
