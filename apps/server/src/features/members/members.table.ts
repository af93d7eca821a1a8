import type { Member } from "@leadline/contract/members";
import type { Role } from "@leadline/contract/organisations";
import { sql } from "kysely";
import { readableEmail } from "../users/readable-email.ts";
import { formerMember } from "../../db/person-name.ts";
import type { Tx } from "../../db/transaction.ts";

interface MemberRow {
  user_id: string;
  first_name: string;
  last_name: string;
  email: string;
  role: Role;
  created_at: string;
}

const toMember = (row: MemberRow): Member => ({
  userId: row.user_id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: readableEmail(row.email),
  role: row.role,
  createdAt: row.created_at,
});

const membersOf = (tx: Tx, organisationId: string) =>
  tx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["user_id", "first_name", "last_name", "email", "role", "memberships.created_at"])
    .where("organisation_id", "=", organisationId);

export interface Membership {
  organisationId: string;
  userId: string;
}

export async function selectMembers(tx: Tx, organisationId: string): Promise<Member[]> {
  const rows = await membersOf(tx, organisationId)
    .orderBy(sql`lower(first_name)`)
    .orderBy(sql`lower(last_name)`)
    .orderBy("user_id")
    .execute();
  return rows.map(toMember);
}

export async function findMember(tx: Tx, key: Membership): Promise<Member | undefined> {
  const row = await membersOf(tx, key.organisationId).where("user_id", "=", key.userId).executeTakeFirst();
  return row && toMember(row);
}

/** In the order of identifiers. */
export async function selectMembershipsOf(tx: Tx, userId: string): Promise<{ organisationId: string; name: string }[]> {
  return tx
    .selectFrom("memberships")
    .innerJoin("organisations", "organisations.id", "memberships.organisation_id")
    .select(["organisation_id as organisationId", "name"])
    .where("user_id", "=", userId)
    .orderBy("organisation_id")
    .execute();
}

export async function hasMemberWithEmail(tx: Tx, key: { organisationId: string; email: string }): Promise<boolean> {
  return (await membersOf(tx, key.organisationId).where("email", "=", key.email).executeTakeFirst()) !== undefined;
}

/** Changes of an organisation's members take turns, or two owners could remove each other. */
export async function takeTurn(tx: Tx, organisationId: string): Promise<void> {
  await tx.selectFrom("organisations").select("id").where("id", "=", organisationId).forNoKeyUpdate().execute();
}

export async function countOwners(tx: Tx, organisationId: string): Promise<number> {
  const { owners } = await tx
    .selectFrom("memberships")
    .select((query) => query.fn.countAll<number>().as("owners"))
    .where("organisation_id", "=", organisationId)
    .where("role", "=", "owner")
    .executeTakeFirstOrThrow();
  return owners;
}

export async function selectOwnerIds(tx: Tx, organisationId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom("memberships")
    .select("user_id")
    .where("organisation_id", "=", organisationId)
    .where("role", "=", "owner")
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Undefined if the person no longer owns the organisation. */
export const findAlert = (tx: Tx, which: { organisationId: string; ownerId: string; changedBy: string | null }) =>
  tx
    .selectFrom("memberships as m")
    .innerJoin("organisations as o", "o.id", "m.organisation_id")
    .innerJoin("users as owner", "owner.id", "m.user_id")
    .leftJoin("users as changer", (join) => join.on("changer.id", "=", which.changedBy))
    .select(["owner.email", "owner.first_name as firstName", "o.name as organisationName"])
    .select(
      sql<string>`coalesce(trim(changer.first_name || ' ' || changer.last_name), ${formerMember})`.as("changedBy"),
    )
    .where("m.organisation_id", "=", which.organisationId)
    .where("m.user_id", "=", which.ownerId)
    .where("m.role", "=", "owner")
    .executeTakeFirst();

/** An existing member keeps their role. */
export async function insertMembership(tx: Tx, key: Membership & { role: Role }): Promise<void> {
  await tx
    .insertInto("memberships")
    .values({ organisation_id: key.organisationId, user_id: key.userId, role: key.role })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function updateRole(tx: Tx, key: Membership, role: Role): Promise<void> {
  await tx
    .updateTable("memberships")
    .set({ role })
    .where("organisation_id", "=", key.organisationId)
    .where("user_id", "=", key.userId)
    .execute();
}

/** Returns the members' user ids. */
export async function deleteMemberships(tx: Tx, organisationId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom("memberships")
    .where("organisation_id", "=", organisationId)
    .returning("user_id")
    .execute();
  return rows.map((row) => row.user_id);
}

/** If it was their active organisation, the table's foreign key leaves them without one. */
export async function deleteMembership(tx: Tx, key: Membership): Promise<void> {
  await tx
    .deleteFrom("memberships")
    .where("organisation_id", "=", key.organisationId)
    .where("user_id", "=", key.userId)
    .execute();
}
