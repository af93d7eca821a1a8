import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation, ownUser } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table calls (
      id bigint generated always as identity primary key,
      call_sid text not null unique,
      revision integer not null default 0,
      organisation_id uuid not null references organisations on delete cascade,
      user_id uuid not null references users,
      direction text not null check (direction in ('outbound', 'inbound')),
      status text not null check (status in ('queued', 'ringing', 'in-progress', 'completed', 'busy', 'no-answer', 'failed', 'canceled')),
      phone_number text not null,
      phone_number_typed text not null,
      carrier text not null,
      created_at timestamptz not null default clock_timestamp(),
      answered_at timestamptz,
      ended_at timestamptz,
      duration_ms integer not null default 0,
      reason text,
      sip integer,
      q850 integer,
      muted boolean not null default false,
      held boolean not null default false,
      media_connection_id uuid,
      process_key bigint not null,
      seen_at timestamptz not null default clock_timestamp(),
      idempotency_key text,
      request_hash text,
      check ((ended_at is null) = (status in ('queued', 'ringing', 'in-progress'))),
      check ((reason is null) = (ended_at is null)),
      unique (user_id, idempotency_key)
    )`.execute(db);
  await sql`create index calls_newest_first on calls (organisation_id, id desc)`.execute(db);
  // A person talks in one call at a time; it also finds the live calls of all.
  await sql`create unique index calls_one_live_a_person on calls (user_id) where ended_at is null`.execute(db);
  await forceRowSecurity(db, "calls", `${ownOrganisation} or ${ownUser}`, ownOrganisation);
}
