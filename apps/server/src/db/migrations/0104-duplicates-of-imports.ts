import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lead_imports add column duplicate_count integer not null default 0`.execute(db);
  // No foreign key on the lead: deleting leads would have to look for it here, and the list names only those that are left.
  await sql`
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
  await forceRowSecurity(db, "lead_import_duplicates", ownOrganisation);
}
