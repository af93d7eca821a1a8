import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Full comparisons: syncs that read every lead and then remove the missing ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- When the last full comparison ended.
    alter table integrations add column compared_at timestamptz not null default clock_timestamp();
    alter table sync_runs add column comparing text check (comparing in ('reading', 'removing'));

    -- The leads that a running comparison has seen.
    create table sync_run_leads (
      run_id uuid not null references sync_runs on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      external_id text not null,
      primary key (run_id, external_id)
    )`.execute(db);
  await forceRowSecurity(db, "sync_run_leads", ownOrganisation);
}
