import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Lines of a carrier that no call in the log has: those of a verification, or of a transfer's target. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table trunk_line_holds (
      id uuid primary key,
      carrier_id uuid not null references carriers on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      -- It is free then at the latest, whatever became of its process.
      held_until timestamptz not null
    )`.execute(db);
  await sql`create index trunk_line_holds_of_carrier on trunk_line_holds (organisation_id, carrier_id)`.execute(db);
  await forceRowSecurity(db, "trunk_line_holds", ownOrganisation);
}
