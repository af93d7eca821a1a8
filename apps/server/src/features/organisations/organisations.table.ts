import type { Tx } from "../../db/transaction.ts";
import type { OpeningHours, Organisation, Role, UpdateOrganisationInput } from "@leadline/contract/organisations";
import { type ColumnType, type Generated, sql } from "kysely";
import type { z } from "zod";
import { balanceOfOrganisation } from "../../db/balance-of-organisation.ts";

export interface OrganisationTable {
  id: string;
  name: string;
  description: string | null;
  website: string | null;
  billing_mode: Generated<"metered" | "prepaid">;
  /** How long its audit log is kept. */
  audit_days: Generated<number>;
  /** ISO 3166-1 alpha-2: the country of phone numbers without a country code. */
  default_country: Generated<string>;
  /** IANA name. */
  time_zone: Generated<string>;
  time_zone_changed_at: string | null;
  opening_hours: ColumnType<OpeningHours, string | undefined, string>;
  /** Calls show a number with the callee's area code, if the organisation has one. */
  local_presence: Generated<boolean>;
  calling_hours: ColumnType<OpeningHours, string | undefined, string>;
  created_at: Generated<string>;
  /** When it was deleted. A job deletes its data, and finally this row. */
  deleted_at: string | null;
}

export interface MembershipTable {
  organisation_id: string;
  user_id: string;
  role: Role;
  /** E.164: the caller ID of this member's calls, as long as it can be shown. */
  caller_id: Generated<string | null>;
  created_at: Generated<string>;
}

type OrganisationRow = Pick<Organisation, "id" | "name" | "description" | "website" | "balance" | "role"> & {
  time_zone: string;
  default_country: string;
  opening_hours: OpeningHours;
  calling_hours: OpeningHours;
};

function toOrganisation(row: OrganisationRow): Organisation {
  const { id, name, description, website, balance, role } = row;
  return {
    id,
    name,
    description,
    website,
    balance,
    role,
    timeZone: row.time_zone,
    defaultCountry: row.default_country,
    openingHours: row.opening_hours,
    callingHours: row.calling_hours,
  };
}

const withRole = (tx: Tx, userId: string) =>
  tx
    .selectFrom("memberships")
    .innerJoin("organisations", "organisations.id", "memberships.organisation_id")
    .select([
      "organisations.id",
      "name",
      "description",
      "website",
      balanceOfOrganisation.as("balance"),
      "time_zone",
      "default_country",
      "opening_hours",
      "calling_hours",
      "role",
    ])
    .where("memberships.user_id", "=", userId);

export async function selectOrganisationsOf(tx: Tx, userId: string): Promise<Organisation[]> {
  const rows = await withRole(tx, userId).orderBy("organisations.created_at").orderBy("organisations.id").execute();
  return rows.map(toOrganisation);
}

/** Undefined if it doesn't exist or the person isn't a member, so that the two can't be distinguished. */
export async function findOrganisationOf(
  tx: Tx,
  key: { userId: string; organisationId: string },
): Promise<Organisation | undefined> {
  const row = await withRole(tx, key.userId).where("organisations.id", "=", key.organisationId).executeTakeFirst();
  return row && toOrganisation(row);
}

/** Locks counting what the person owns until the transaction ends. */
export async function lockOwner(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('organisations:' || ${userId}, 0))`.execute(tx);
}

export async function countOwned(tx: Tx, userId: string): Promise<number> {
  const { owned } = await tx
    .selectFrom("memberships")
    .select((query) => query.fn.countAll<number>().as("owned"))
    .where("user_id", "=", userId)
    .where("role", "=", "owner")
    .executeTakeFirstOrThrow();
  return Number(owned);
}

export interface NewOrganisation {
  name: string;
  description: string | null;
  website: string | null;
  timeZone?: string | undefined;
  defaultCountry?: string | undefined;
}

export async function insertOrganisation(
  tx: Tx,
  organisation: NewOrganisation & { id: string },
  ownerId: string,
): Promise<void> {
  const { timeZone, defaultCountry, ...rest } = organisation;
  await tx
    .insertInto("organisations")
    .values({
      ...rest,
      ...(timeZone !== undefined && { time_zone: timeZone }),
      ...(defaultCountry !== undefined && { default_country: defaultCountry }),
    })
    .execute();
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

export async function findOpeningHours(
  tx: Tx,
  organisationId: string,
): Promise<Pick<Organisation, "openingHours" | "callingHours" | "timeZone"> | undefined> {
  const row = await tx
    .selectFrom("organisations")
    .select(["opening_hours as openingHours", "calling_hours as callingHours", "time_zone as timeZone"])
    .where("id", "=", organisationId)
    .executeTakeFirst();
  return row;
}

export async function markDeleted(tx: Tx, id: string): Promise<void> {
  const now = sql<string>`clock_timestamp()`;
  await tx.updateTable("organisations").set({ deleted_at: now }).where("id", "=", id).execute();
}

export async function isMarkedDeleted(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.selectFrom("organisations").select("deleted_at").where("id", "=", id).executeTakeFirst();
  return row?.deleted_at != null;
}

/** In the system scope. */
export async function selectDeleted(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom("organisations").select("id").where("deleted_at", "is not", null).execute();
  return rows.map(({ id }) => id);
}

/** With all remaining data in it. */
export async function removeOrganisationRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("organisations").where("id", "=", id).execute();
}

type OrganisationChange = z.output<typeof UpdateOrganisationInput>;

export async function updateOrganisation(tx: Tx, id: string, change: OrganisationChange): Promise<void> {
  const { name, description, website, timeZone, defaultCountry, openingHours, callingHours } = change;
  const set = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(website !== undefined && { website }),
    ...(timeZone !== undefined && {
      time_zone: timeZone,
      time_zone_changed_at: sql<
        string | null
      >`case when time_zone = ${timeZone} then time_zone_changed_at else clock_timestamp() end`,
    }),
    ...(defaultCountry !== undefined && { default_country: defaultCountry }),
    ...(openingHours !== undefined && { opening_hours: JSON.stringify(openingHours) }),
    ...(callingHours !== undefined && { calling_hours: JSON.stringify(callingHours) }),
  };
  if (Object.keys(set).length > 0) await tx.updateTable("organisations").set(set).where("id", "=", id).execute();
}

/**
 * Tables that grow with use and that nothing else refers to. Tables not sliced here or by their feature are deleted
 * with the organisation.
 */
export const tablesThatGrow = [
  "files",
  "follow_up_reminders",
  "follow_ups",
  "do_not_call",
  "lead_views",
  "phone_numbers",
  "live_events",
  "ledger_transfers",
  "ledger_holds",
  // Has no foreign key to the organisation, so all of it must be deleted here.
  "audit_entries",
] as const;

/** Deletes at most `limit` rows and returns how many. */
export const deleteSomeOf =
  (table: (typeof tablesThatGrow)[number]) =>
  async (tx: Tx, organisationId: string, limit: number): Promise<number> => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where organisation_id = ${organisationId} limit ${limit} for update))`.execute(
      tx,
    );
    return Number(numAffectedRows ?? 0n);
  };
