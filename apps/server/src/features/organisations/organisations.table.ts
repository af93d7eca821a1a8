import type { Organisation, Role } from "@leadline/contract/organisations";
import type { Generated } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface OrganisationTable {
  id: string;
  name: string;
  description: string | null;
  website: string | null;
  /** Millionths of a US dollar. */
  balance: Generated<number>;
  /** ISO 3166-1 alpha-2: where a phone number without a country is taken to be. */
  default_country: Generated<string>;
  created_at: Generated<string>;
}

export interface MembershipTable {
  organisation_id: string;
  user_id: string;
  role: Role;
  created_at: Generated<string>;
}

function toOrganisation(row: Organisation): Organisation {
  const { id, name, description, website, balance, role } = row;
  return { id, name, description, website, balance, role };
}

const withRole = (tx: Tx, userId: string) =>
  tx
    .selectFrom("memberships")
    .innerJoin("organisations", "organisations.id", "memberships.organisation_id")
    .select(["organisations.id", "name", "description", "website", "balance", "role"])
    .where("memberships.user_id", "=", userId);

export async function selectOrganisationsOf(tx: Tx, userId: string): Promise<Organisation[]> {
  const rows = await withRole(tx, userId).orderBy("organisations.created_at").orderBy("organisations.id").execute();
  return rows.map(toOrganisation);
}

/** Undefined where it does not exist and where the person is no member: nobody can tell these apart. */
export async function findOrganisationOf(
  tx: Tx,
  key: { userId: string; organisationId: string },
): Promise<Organisation | undefined> {
  const row = await withRole(tx, key.userId).where("organisations.id", "=", key.organisationId).executeTakeFirst();
  return row && toOrganisation(row);
}

export async function insertOrganisation(
  tx: Tx,
  organisation: { id: string; name: string; description: string | null; website: string | null },
  ownerId: string,
): Promise<void> {
  await tx.insertInto("organisations").values(organisation).execute();
  await tx
    .insertInto("memberships")
    .values({ organisation_id: organisation.id, user_id: ownerId, role: "owner" })
    .execute();
}

export async function findActiveOrganisationOf(tx: Tx, userId: string): Promise<Organisation | undefined> {
  const row = await withRole(tx, userId)
    .innerJoin("users", "users.id", "memberships.user_id")
    .whereRef("users.active_organisation_id", "=", "organisations.id")
    .executeTakeFirst();
  return row && toOrganisation(row);
}

export async function findDefaultCountry(tx: Tx, organisationId: string): Promise<string> {
  const row = await tx
    .selectFrom("organisations")
    .select("default_country")
    .where("id", "=", organisationId)
    .executeTakeFirst();
  return row?.default_country ?? "US";
}
