import { type Kysely, sql } from "kysely";
import { appRole } from "../app-role.ts";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table live_events (
      id bigint generated always as identity primary key,
      organisation_id uuid not null references organisations on delete cascade,
      type text not null,
      data json not null,
      created_at timestamptz not null default clock_timestamp()
    )`.execute(db);
  await sql`create index live_events_by_organisation on live_events (organisation_id, id)`.execute(db);
  await sql`create index live_events_by_age on live_events (created_at)`.execute(db);
  // Up to which id an organisation's events are no longer kept: who asks to resume before it must read everything anew.
  await sql`
    create table live_event_horizons (
      organisation_id uuid primary key references organisations on delete cascade,
      pruned_to bigint not null
    )`.execute(db);
  await forceRowSecurity(db, "live_events", ownOrganisation);
  await forceRowSecurity(db, "live_event_horizons", ownOrganisation);
  await sql`grant usage on sequence live_events_id_seq to ${sql.id(appRole)}`.execute(db);
}
