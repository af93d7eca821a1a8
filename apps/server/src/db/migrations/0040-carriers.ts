import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table carriers (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      kind text not null,
      label text not null,
      settings jsonb not null,
      in_use boolean not null default false,
      generation integer not null default 1,
      created_at timestamptz not null default clock_timestamp()
    )`.execute(db);
  await sql`create index carriers_by_organisation on carriers (organisation_id, created_at)`.execute(db);
  await sql`create unique index carriers_one_in_use on carriers (organisation_id) where in_use`.execute(db);
  // Apart from carriers, so that no list of them can carry a secret.
  await sql`
    create table carrier_secrets (
      carrier_id uuid primary key references carriers on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      sealed text not null
    )`.execute(db);
  for (const table of ["carriers", "carrier_secrets"]) await forceRowSecurity(db, table, ownOrganisation);
}
