import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Saved filters, sorts and columns of the leads list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lead_views (
      id uuid primary key default gen_random_uuid(),
      organisation_id uuid not null references organisations on delete cascade,
      user_id uuid not null references users on delete cascade,
      name text not null,
      shared boolean not null,
      filter jsonb not null,
      columns jsonb not null,
      created_at timestamptz not null default clock_timestamp()
    );
    create unique index lead_views_by_name on lead_views (organisation_id, user_id, lower(name));
    create index lead_views_by_user on lead_views (user_id)`.execute(db);
  await forceRowSecurity(db, "lead_views", ownOrganisation);
}
