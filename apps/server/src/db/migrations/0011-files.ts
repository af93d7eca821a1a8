import { type Kysely, sql } from "kysely";
import { currentOrganisation, currentUser, forceRowSecurity, ownOrganisation } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
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
    )`.execute(db);
  await sql`create index files_of_organisation on files (organisation_id, created_at desc)`.execute(db);
  await sql`create index files_of_lead on files (lead_id) where lead_id is not null`.execute(db);
  const organisation = `organisation_id = (select ${currentOrganisation})`;
  const own = `avatar_of = (select ${currentUser})`;
  // A face belongs to the person, and is seen wherever they are a colleague.
  const colleague = `exists (select 1 from memberships m where m.user_id = files.avatar_of and m.organisation_id = (select ${currentOrganisation}))`;
  await forceRowSecurity(db, "files", `${organisation} or ${own} or ${colleague}`, `${organisation} or ${own}`);

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
      problem text,
      created_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz,
      check ((finished_at is null) = (state in ('draft', 'running')))
    )`.execute(db);
  await sql`create index lead_imports_by_file on lead_imports (stored_name) where stored_name is not null`.execute(db);
  await sql`
    create table lead_import_errors (
      import_id uuid not null references lead_imports on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      row_number integer not null,
      message text not null,
      primary key (import_id, row_number)
    )`.execute(db);
  await forceRowSecurity(db, "lead_imports", ownOrganisation);
  await forceRowSecurity(db, "lead_import_errors", ownOrganisation);
}
