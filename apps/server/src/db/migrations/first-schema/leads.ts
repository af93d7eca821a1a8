import { type Kysely, sql } from "kysely";
import { ensureExtension } from "../../ensure-extension.ts";
import { currentOrganisation, currentUser, forceRowSecurity, ownOrganisation } from "../../row-security.ts";

/** Leads, what is kept beside them, and their imports. */
export async function createLeads(db: Kysely<unknown>): Promise<void> {
  await ensureExtension(db, "pg_trgm");
  await ensureExtension(db, "btree_gin");
  await createFold(db);
  await sql`
    create table leads (
      id uuid primary key default gen_random_uuid(),
      position bigint generated always as identity,
      organisation_id uuid not null references organisations on delete cascade,
      integration_id uuid,
      external_id text,
      -- Of a lead that hangs on no integration any more: whose record of which CRM account it was.
      former_account text,
      former_external_id text,
      first_name text not null,
      last_name text not null,
      email text not null,
      phone text not null,
      phone_number text,
      status text not null default 'New'
        check (status in ('New', 'Working', 'Nurturing', 'Qualified', 'Unqualified')),
      crm_status text,
      follow_up_on date,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      status_rank smallint not null generated always as (
        array_position(array['New', 'Working', 'Nurturing', 'Qualified', 'Unqualified'], status)
      ) stored,
      sort_name text not null generated always as (lower(left(last_name || ' ' || first_name, 200))) stored,
      search text not null generated always as (
        leadline_search.fold(' ' || first_name || ' ' || last_name || ' ' || email || ' ' || phone) || ' '
        || regexp_replace(phone, '[^0-9]', '', 'g') || ' ' || coalesce(phone_number, '')
      ) stored,
      unique (organisation_id, integration_id, external_id),
      check ((integration_id is null) = (external_id is null)),
      check ((former_account is null) = (former_external_id is null))
    );
    create unique index leads_newest_first on leads (organisation_id, position desc);
    create index leads_by_status on leads (organisation_id, status_rank, position);
    create index leads_by_name on leads (organisation_id, sort_name, position);
    create index leads_by_phone_number on leads (organisation_id, phone_number);
    create index leads_by_follow_up on leads (organisation_id, follow_up_on) where follow_up_on is not null;
    create index leads_by_former_origin on leads (organisation_id, former_account, former_external_id)
      where former_account is not null;
    -- What is searched stands first, as GIN looks up the columns in their order: the organisation's own list, the longest
    -- of all, is read at the few places that the rest leaves. Stretches of 65,536 positions keep the newest page near.
    create index leads_search on leads using gin (search gin_trgm_ops, (position >> 16), organisation_id)
      with (gin_pending_list_limit = 512);

    create table lead_notes (
      id uuid primary key,
      position bigint generated always as identity,
      organisation_id uuid not null references organisations on delete cascade,
      lead_id uuid not null references leads on delete cascade,
      user_id uuid not null references users,
      text text not null,
      created_at timestamptz not null default clock_timestamp()
    );
    create index lead_notes_newest_first on lead_notes (lead_id, position desc)`.execute(db);
  for (const table of ["leads", "lead_notes"]) await forceRowSecurity(db, table, ownOrganisation);
  await createFiles(db);
  await createImports(db);
}

/** fold-text.ts does the same to what is searched for. Marks are taken off before lower(), which some locales keep to ASCII. */
async function createFold(db: Kysely<unknown>): Promise<void> {
  await sql`create schema leadline_search`.execute(db);
  await sql`
    create function leadline_search.fold(given text) returns text
    language sql immutable parallel safe strict
    as $$
      select replace(replace(replace(replace(
        translate(lower(regexp_replace(normalize(given, NFD), U&'[\\0300-\\036f]', '', 'g')), 'øØłŁđĐðÐıẞÆŒÞ', 'oollddddißæœþ'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
    $$`.execute(db);
}

async function createFiles(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table files (
      id uuid primary key,
      organisation_id uuid references organisations on delete cascade,
      lead_id uuid references leads on delete cascade,
      avatar_of uuid unique references users on delete cascade,
      user_id uuid not null references users,
      name text not null,
      media_type text not null,
      size_bytes bigint not null,
      stored_name text not null unique,
      created_at timestamptz not null default clock_timestamp(),
      check ((organisation_id is null) = (avatar_of is not null)),
      check (lead_id is null or organisation_id is not null)
    );
    create index files_of_organisation on files (organisation_id, created_at desc);
    create index files_of_lead on files (lead_id) where lead_id is not null;
    create index files_of_person on files (user_id)`.execute(db);
  const own = `avatar_of = (select ${currentUser})`;
  // A face belongs to the person, and is seen wherever they are a colleague.
  const colleague = `exists (select 1 from memberships m where m.user_id = files.avatar_of and m.organisation_id = (select ${currentOrganisation}))`;
  await forceRowSecurity(db, "files", `${ownOrganisation} or ${own} or ${colleague}`, `${ownOrganisation} or ${own}`);
  // What a person has uploaded is counted across organisations; it is seen elsewhere by that count alone.
  await sql`
    create policy own_uploads on files for select using (
      (select coalesce(current_setting('app.counts_own_uploads', true), '') = 'on')
      and user_id = (select ${sql.raw(currentUser)}))`.execute(db);
}

async function createImports(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lead_imports (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      user_id uuid not null references users,
      file_name text not null,
      stored_name text,
      state text not null default 'draft' check (state in ('draft', 'running', 'completed', 'failed')),
      delimiter text not null,
      columns json not null,
      preview json not null,
      suggested_mapping json not null,
      mapping json,
      skip_known_numbers boolean not null default true,
      row_count integer not null,
      rows_read integer not null default 0,
      bytes_read bigint not null,
      created_count integer not null default 0,
      skipped_count integer not null default 0,
      failed_count integer not null default 0,
      duplicate_count integer not null default 0,
      problem text,
      failures integer not null default 0,
      retry_at timestamptz,
      created_at timestamptz not null default clock_timestamp(),
      touched_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz,
      check ((finished_at is null) = (state in ('draft', 'running')))
    );
    create index lead_imports_by_file on lead_imports (stored_name) where stored_name is not null;
    create index lead_imports_running on lead_imports (touched_at) where state = 'running';
    create index lead_imports_latest on lead_imports (organisation_id, created_at desc);

    create table lead_import_errors (
      import_id uuid not null references lead_imports on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      row_number integer not null,
      message text not null,
      cells json,
      primary key (import_id, row_number)
    );

    -- No reference to the lead: deleting leads would have to look for it here, and the list names only those that are left.
    create table lead_import_duplicates (
      import_id uuid not null references lead_imports on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      row_number integer not null,
      by_number boolean not null,
      lead_id uuid,
      earlier_row integer,
      imported boolean not null,
      fields json not null,
      primary key (import_id, row_number)
    )`.execute(db);
  for (const table of ["lead_imports", "lead_import_errors", "lead_import_duplicates"])
    await forceRowSecurity(db, table, ownOrganisation);
}
