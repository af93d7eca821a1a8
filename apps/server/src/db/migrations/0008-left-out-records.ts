import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** The records of a sync that could not become leads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sync_run_left_out (
      run_id uuid not null references sync_runs on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      external_id text not null,
      why text not null,
      url text,
      primary key (run_id, external_id)
    )`.execute(db);
  await forceRowSecurity(db, "sync_run_left_out", ownOrganisation);
}
