import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  // Without a row, and where a column is null, what limits.table.ts says for everybody holds.
  await sql`
    create table organisation_limits (
      organisation_id uuid primary key references organisations on delete cascade,
      allowed_countries text[],
      concurrent_calls integer check (concurrent_calls > 0),
      calls_per_minute integer check (calls_per_minute > 0),
      daily_spend bigint check (daily_spend >= 0)
    )`.execute(db);
  await forceRowSecurity(db, "organisation_limits", ownOrganisation);
}
