import { type Kysely, sql } from "kysely";
import { appRole, searchRole } from "../app-role.ts";
import { ensureExtension } from "../ensure-extension.ts";
import { currentOrganisation, forceRowSecurity, ownOrganisation } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await ensureExtension(db, "pg_trgm");
  await ensureExtension(db, "btree_gin");
  await sql`alter table organisations add column default_country text not null default 'US'`.execute(db);
  await sql`
    create table leads (
      id uuid primary key default gen_random_uuid(),
      position bigint generated always as identity,
      organisation_id uuid not null references organisations on delete cascade,
      integration_id uuid,
      external_id text,
      first_name text not null,
      last_name text not null,
      email text not null,
      phone text not null,
      phone_number text,
      status text not null default 'New'
        check (status in ('New', 'Working', 'Nurturing', 'Qualified', 'Unqualified')),
      follow_up_on date,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      status_rank smallint not null generated always as (
        array_position(array['New', 'Working', 'Nurturing', 'Qualified', 'Unqualified'], status)
      ) stored,
      sort_name text not null generated always as (lower(left(last_name || ' ' || first_name, 200))) stored,
      search text not null generated always as (
        lower(' ' || first_name || ' ' || last_name || ' ' || email || ' ' || phone) || ' '
        || regexp_replace(phone, '[^0-9]', '', 'g') || ' ' || coalesce(phone_number, '')
      ) stored,
      unique (organisation_id, integration_id, external_id),
      check ((integration_id is null) = (external_id is null))
    )`.execute(db);
  await sql`create unique index leads_newest_first on leads (organisation_id, position desc)`.execute(db);
  await sql`create index leads_by_status on leads (organisation_id, status_rank, position)`.execute(db);
  await sql`create index leads_by_name on leads (organisation_id, sort_name, position)`.execute(db);
  await sql`create index leads_by_phone_number on leads (organisation_id, phone_number)`.execute(db);
  // With the organisation in it, a term that is common elsewhere and absent here is found absent at once.
  await sql`
    create index leads_search on leads using gin (organisation_id, search gin_trgm_ops)
    with (gin_pending_list_limit = 512)`.execute(db);
  await forceRowSecurity(db, "leads", ownOrganisation);
  await letSearch(db);

  await sql`
    create table lead_notes (
      id uuid primary key,
      position bigint generated always as identity,
      organisation_id uuid not null references organisations on delete cascade,
      lead_id uuid not null references leads on delete cascade,
      user_id uuid not null references users,
      text text not null,
      created_at timestamptz not null default clock_timestamp()
    )`.execute(db);
  await sql`create index lead_notes_newest_first on lead_notes (lead_id, position desc)`.execute(db);
  await forceRowSecurity(db, "lead_notes", ownOrganisation);
}

/**
 * Up to `most` leads of the scope's organisation that hold every pattern, by their position. The settings leave the
 * planner no way but the trigram index; the plan is made anew for each term, because how common it is decides it.
 */
async function letSearch(db: Kysely<unknown>): Promise<void> {
  const role = sql.id(searchRole);
  await sql`create policy search_all on leads for select to ${role} using (true)`.execute(db);
  await sql`grant select (organisation_id, position, search) on leads to ${role}`.execute(db);
  await sql`create schema leadline_search`.execute(db);
  await sql`
    create function leadline_search.lead_positions(patterns text[], most integer)
    returns setof bigint
    language plpgsql stable security definer
    set search_path = pg_catalog, public, pg_temp
    set enable_seqscan = off
    set enable_indexscan = off
    as $$
    declare
      holds_all text := (select string_agg(format('search like %L', pattern), ' and ') from unnest(patterns) as pattern);
    begin
      return query execute 'select position from public.leads where organisation_id = $1 and ' || holds_all || ' limit $2'
        using ${sql.raw(currentOrganisation)}, most;
    end $$`.execute(db);
  // A function's new owner must be allowed to make one in its schema, at that moment only.
  await sql`grant usage, create on schema leadline_search to ${role}`.execute(db);
  await sql`alter function leadline_search.lead_positions(text[], integer) owner to ${role}`.execute(db);
  await sql`revoke create on schema leadline_search from ${role}`.execute(db);
  await sql`set local role ${role}`.execute(db);
  await sql`revoke all on function leadline_search.lead_positions(text[], integer) from public`.execute(db);
  await sql`grant execute on function leadline_search.lead_positions(text[], integer) to ${sql.id(appRole)}`.execute(
    db,
  );
  await sql`reset role`.execute(db);
  await sql`grant usage on schema leadline_search to ${sql.id(appRole)}`.execute(db);
}
