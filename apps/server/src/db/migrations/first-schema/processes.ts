import { type Kysely, sql } from "kysely";
import { appRole } from "../../app-role.ts";
import { forceRowSecurity, ownOrganisation } from "../../row-security.ts";

/** What several processes of one installation tell each other, and all open pages. */
export async function createProcesses(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table live_events (
      id bigint generated always as identity primary key,
      organisation_id uuid not null references organisations on delete cascade,
      type text not null,
      data json not null,
      created_at timestamptz not null default clock_timestamp()
    );
    create index live_events_by_organisation on live_events (organisation_id, id);
    create index live_events_by_age on live_events (created_at);

    -- Up to which id an organisation's events are no longer kept: who asks to resume before it must read everything anew.
    create table live_event_horizons (
      organisation_id uuid primary key references organisations on delete cascade,
      pruned_to bigint not null
    );

    create table processes (
      process_key integer primary key,
      seen_at timestamptz not null
    );

    -- Unlogged: each process writes its row anew once the database has restarted.
    create unlogged table people_at_processes (
      process_key integer primary key,
      present jsonb not null,
      in_call jsonb not null
    );

    -- Unlogged: nobody waits for a command any more once the database has restarted.
    create unlogged table process_commands (
      id uuid primary key,
      process_key integer not null,
      asked_by integer not null,
      command text not null,
      answer text,
      created_at timestamptz not null default clock_timestamp(),
      taken_at timestamptz
    )`.execute(db);
  for (const table of ["live_events", "live_event_horizons"]) await forceRowSecurity(db, table, ownOrganisation);
  for (const table of ["processes", "people_at_processes", "process_commands"])
    await forceRowSecurity(db, table, "false");
  await sql`grant usage on sequence live_events_id_seq to ${sql.id(appRole)}`.execute(db);
}
