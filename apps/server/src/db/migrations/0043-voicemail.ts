import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table voicemail_greetings (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      name text not null,
      stored_name text not null unique,
      duration_ms integer not null,
      created_at timestamptz not null default clock_timestamp(),
      unique (organisation_id, id)
    )`.execute(db);
  // Without a row, what its defaults say holds.
  await sql`
    create table voicemail_settings (
      organisation_id uuid primary key references organisations on delete cascade,
      enabled boolean not null default false,
      ring_seconds integer not null default 20 check (ring_seconds between 5 and 60),
      keep_days integer not null default 90 check (keep_days > 0),
      greeting_id uuid,
      foreign key (organisation_id, greeting_id) references voicemail_greetings (organisation_id, id)
    )`.execute(db);
  // From before its caller is answered.
  await sql`
    create table voicemail_messages (
      call_sid text primary key references calls (call_sid) on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      state text not null default 'recording' check (state in ('recording', 'kept')),
      stored_name text not null unique,
      duration_ms integer not null default 0,
      process_key bigint not null,
      created_at timestamptz not null default clock_timestamp(),
      heard_at timestamptz
    )`.execute(db);
  await sql`create index voicemail_messages_by_age on voicemail_messages (organisation_id, created_at)`.execute(db);
  await sql`create index voicemail_messages_half_recorded on voicemail_messages (process_key) where state = 'recording'`.execute(
    db,
  );
  for (const table of ["voicemail_greetings", "voicemail_settings", "voicemail_messages"])
    await forceRowSecurity(db, table, ownOrganisation);
}
