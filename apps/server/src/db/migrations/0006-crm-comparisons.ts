import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Syncs that read everything anew, and then remove the leads that the CRM no longer has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- When everything was last read and compared; a first reading has nothing to compare.
    alter table integrations add column compared_at timestamptz not null default clock_timestamp();
    alter table sync_runs add column comparing text check (comparing in ('reading', 'removing'));

    -- What a comparison has read so far.
    create table sync_run_leads (
      run_id uuid not null references sync_runs on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      external_id text not null,
      primary key (run_id, external_id)
    )`.execute(db);
  await forceRowSecurity(db, "sync_run_leads", ownOrganisation);
}
