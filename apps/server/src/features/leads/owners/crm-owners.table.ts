import type { CrmOwner, CrmOwnerChoice } from "@leadline/contract/crm-owners";
import { type Generated, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

export interface CrmOwnerTable {
  organisation_id: string;
  integration_id: string;
  /** The email in lower case, or the name if the CRM has no email. */
  owner_key: string;
  name: string;
  email: string;
  maps_to: Generated<CrmOwner["mapsTo"]>;
  /** Set for `member`. Kept when the person leaves. */
  user_id: string | null;
}

export interface IntegrationKey {
  organisationId: string;
  integrationId: string;
}

/** The member whom an owner is mapped to by the row's choice; null for none. */
const memberId = sql<string | null>`(
  select memberships.user_id from memberships join users on users.id = memberships.user_id
  where memberships.organisation_id = crm_owners.organisation_id and case crm_owners.maps_to
    when 'member' then memberships.user_id = crm_owners.user_id
    when 'email' then users.email = lower(crm_owners.email) else false end)`;
const memberIdByEmail = sql<string | null>`(
  select memberships.user_id from memberships join users on users.id = memberships.user_id
  where memberships.organisation_id = crm_owners.organisation_id and users.email = lower(crm_owners.email))`;

/** Ordered by name. */
export async function selectCrmOwners(tx: Tx, key: IntegrationKey, limit: number): Promise<CrmOwner[]> {
  return tx
    .selectFrom("crm_owners")
    .select(["owner_key as id", "name", "email", "maps_to as mapsTo"])
    .select([
      sql<string | null>`case maps_to when 'member' then user_id end`.as("userId"),
      memberIdByEmail.as("userIdByEmail"),
    ])
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .orderBy(sql`lower(name)`)
    .orderBy("owner_key")
    .limit(limit)
    .execute();
}

export interface SeenCrmOwner {
  ownerKey: string;
  name: string;
  email: string;
}

/** Stores the owners that are new. Returns the member each owner is mapped to. */
export async function noteCrmOwners(
  tx: Tx,
  key: IntegrationKey,
  owners: readonly SeenCrmOwner[],
): Promise<Map<string, string | null>> {
  const keys = owners.map(({ ownerKey }) => ownerKey);
  const known = await selectMembersOf(tx, key, keys);
  const fresh = owners.filter(({ ownerKey }) => !known.has(ownerKey));
  if (fresh.length === 0) return known;
  await tx
    .insertInto("crm_owners")
    .values(
      fresh.map(({ ownerKey, name, email }) => ({
        organisation_id: key.organisationId,
        integration_id: key.integrationId,
        owner_key: ownerKey,
        name,
        email,
        user_id: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return selectMembersOf(tx, key, keys);
}

async function selectMembersOf(
  tx: Tx,
  key: IntegrationKey,
  keys: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await tx
    .selectFrom("crm_owners")
    .select("owner_key")
    .select(memberId.as("member_id"))
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .where("owner_key", "=", sql<string>`any(${keys}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.owner_key, row.member_id]));
}

export interface LeadOwnerRow {
  owner_id: string | null;
  owner_name: string;
  crm_owner: string;
  /** Whom the CRM's owner is mapped to. */
  mapped_id: string | null;
  /** Null unless the owner is a member now. */
  email: string | null;
  name: string | null;
}

const mappedId = (key: IntegrationKey) => sql<string | null>`(
  select ${memberId} from crm_owners
  where organisation_id = ${key.organisationId} and integration_id = ${key.integrationId}
    and owner_key = crm_owner_key(leads.crm_owner))`;
const isMember = sql<boolean>`exists (
  select from memberships where organisation_id = leads.organisation_id and memberships.user_id = leads.owner_id)`;

/** See removed leads. */
export async function selectLeadOwner(tx: Tx, key: IntegrationKey, leadId: string): Promise<LeadOwnerRow | null> {
  const row = await tx
    .selectFrom("leads")
    .leftJoin("users", (join) => join.onRef("users.id", "=", "leads.owner_id").on(isMember))
    .select(["leads.owner_id", "leads.owner_name", "leads.crm_owner", "users.email", mappedId(key).as("mapped_id")])
    .select(sql<string | null>`users.first_name || ' ' || users.last_name`.as("name"))
    .where("leads.organisation_id", "=", key.organisationId)
    .where("leads.id", "=", leadId)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether the team has set the lead's owner. See removed leads. */
export const hasOwnOwner = (key: IntegrationKey) => sql<boolean>`(
  case when owner_id is null then owner_name = '' and crm_owner <> ''
  else ${isMember} and owner_id is distinct from ${mappedId(key)} end)`;

/** The integration's leads whose owner the team has set. */
export async function selectLeadsWithOwnOwner(tx: Tx, key: IntegrationKey): Promise<string[]> {
  const rows = await tx
    .selectFrom("leads")
    .select("id")
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .where(hasOwnOwner(key))
    .execute();
  return rows.map(({ id }) => id);
}

/** The CRM's owner who is this member: by email if there are several. */
export async function selectCrmOwnerOf(
  tx: Tx,
  key: IntegrationKey,
  member: { userId: string; email: string },
): Promise<{ name: string; email: string } | null> {
  const row = await tx
    .selectFrom("crm_owners")
    .select(["name", "email"])
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .where(memberId, "=", member.userId)
    .orderBy(sql`owner_key = ${member.email}`, "desc")
    .orderBy(sql`email <> ''`, "desc")
    .orderBy("owner_key")
    .executeTakeFirst();
  return row ?? null;
}

/** Whether the CRM has named an owner with this email. */
export async function hasCrmOwner(tx: Tx, key: IntegrationKey, email: string): Promise<boolean> {
  const row = await tx
    .selectFrom("crm_owners")
    .select("owner_key")
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .where("owner_key", "=", email)
    .executeTakeFirst();
  return row !== undefined;
}

interface FormerChoice {
  owner: string;
  mapsTo: CrmOwner["mapsTo"];
  userId: string | null;
}

/** Returns the previous value. Null if the CRM has no such owner, or nothing changed. */
export async function changeCrmOwner(
  tx: Tx,
  key: IntegrationKey,
  { id, mapsTo, userId = null }: CrmOwnerChoice,
): Promise<FormerChoice | null> {
  const { rows } = await sql<FormerChoice>`
    with former as (
      select owner_key, maps_to, user_id from crm_owners
      where organisation_id = ${key.organisationId} and integration_id = ${key.integrationId} and owner_key = ${id}
      for update
    )
    update crm_owners set maps_to = ${mapsTo}, user_id = ${userId}::uuid from former
    where organisation_id = ${key.organisationId} and integration_id = ${key.integrationId}
      and crm_owners.owner_key = former.owner_key
      and (former.maps_to, former.user_id) is distinct from (${mapsTo}::text, ${userId}::uuid)
    returning former.owner_key as owner, former.maps_to as "mapsTo", former.user_id as "userId"`.execute(tx);
  return rows[0] ?? null;
}

export const deleteCrmOwners = (tx: Tx, key: IntegrationKey): Promise<unknown> =>
  tx
    .deleteFrom("crm_owners")
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .execute();

interface OwnedSlice extends IntegrationKey {
  former: FormerChoice;
  /** Who changed it, for the leads' history. */
  changedBy: string;
  /** A lead's position. */
  after: number;
  limit: number;
}

/**
 * Moves an owner's leads to the member that the owner is mapped to now, unless the team has reassigned them since.
 * Handles a slice of the leads and returns the position of its last one, or null at the end.
 */
export async function reassignOwnedLeads(tx: Tx, slice: OwnedSlice): Promise<number | null> {
  const { organisationId, integrationId, former, changedBy, after, limit } = slice;
  await sql`select set_config('app.user_id', ${changedBy}, true)`.execute(tx);
  const { rows } = await sql<{ count: number; last: number | null }>`
    with slice as (
      select id, position, integration_id, owner_id, owner_name, crm_owner from leads
      where organisation_id = ${organisationId} and position > ${after} order by position limit ${limit}
    ), target as (
      select ${memberId} as member_id, coalesce(nullif(name, ''), email) as name, (
          select users.id from users where users.email = lower(crm_owners.email)
        ) as email_user_id
      from crm_owners
      where organisation_id = ${organisationId} and integration_id = ${integrationId} and owner_key = ${former.owner}
    ), matched as (
      update leads set owner_id = target.member_id, updated_at = clock_timestamp(),
        owner_name = case when target.member_id is null then target.name else '' end
      from slice, target
      where leads.id = slice.id and slice.integration_id = ${integrationId}
        and slice.crm_owner <> '' and crm_owner_key(slice.crm_owner) = ${former.owner}
        and ((slice.owner_id is null and slice.owner_name <> '')
          or slice.owner_id = case ${former.mapsTo}::text
            when 'member' then ${former.userId}::uuid when 'email' then target.email_user_id end)
        and slice.owner_id is distinct from target.member_id
    )
    select count(*)::int as count, max(position) as last from slice`.execute(tx);
  const [walked] = rows;
  return walked === undefined || walked.count < limit ? null : walked.last;
}
