import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Owners that an integration's CRM has named, and which member each one is here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table crm_owners (
      organisation_id uuid not null references organisations on delete cascade,
      integration_id uuid not null,
      -- The email in small letters, or the name where the CRM gives no email.
      owner_key text not null,
      name text not null,
      email text not null,
      maps_to text not null default 'email' check (maps_to in ('email', 'member', 'no-member')),
      -- Stays when the person leaves, so that it applies again when they return.
      user_id uuid references users on delete set null,
      primary key (organisation_id, integration_id, owner_key)
    );

    -- Of what leads keep of the owner in the CRM: a name and <an email>.
    create function crm_owner_key(crm_owner text) returns text
    language sql immutable
    set search_path = pg_catalog, public, pg_temp
    as $$
      select coalesce(nullif(lower(substring(crm_owner from '<([^<>]*)>$')), ''), left(crm_owner, -3))
    $$`.execute(db);
  await forceRowSecurity(db, "crm_owners", ownOrganisation);
  await sql`
    select set_config('app.scope', 'system', true);
    insert into crm_owners (organisation_id, integration_id, owner_key, name, email)
      select distinct on (organisation_id, integration_id, crm_owner_key(crm_owner))
        organisation_id, integration_id, crm_owner_key(crm_owner),
        regexp_replace(crm_owner, ' <[^<>]*>$', ''), coalesce(substring(crm_owner from '<([^<>]*)>$'), '')
      from leads where crm_owner <> '' and integration_id is not null;
    select set_config('app.scope', '', true)`.execute(db);
}
