import { type Kysely, sql } from "kysely";
import { ensureExtension } from "../ensure-extension.ts";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await ensureExtension(db, "pg_trgm");
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
      unique (organisation_id, integration_id, external_id),
      check ((integration_id is null) = (external_id is null))
    )`.execute(db);
  await sql`create index leads_newest_first on leads (organisation_id, position desc)`.execute(db);
  await sql`create index leads_by_phone_number on leads (organisation_id, phone_number)`.execute(db);
  await forceRowSecurity(db, "leads", ownOrganisation);
}
