import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation, ownUser } from "../../row-security.ts";

/** Calls, what becomes of them, voicemail, and what bounds them. */
export async function createCalls(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table call_outcomes (
      id uuid primary key default gen_random_uuid(),
      organisation_id uuid not null references organisations on delete cascade,
      name text not null,
      position integer not null,
      do_not_call boolean not null default false,
      call_back boolean not null default false,
      archived_at timestamptz,
      created_at timestamptz not null default now(),
      unique (organisation_id, id),
      constraint call_back_or_do_not_call check (not (call_back and do_not_call))
    );
    create unique index call_outcomes_one_a_name on call_outcomes (organisation_id, lower(name))
      where archived_at is null;

    create table calls (
      id bigint generated always as identity,
      call_sid text not null unique,
      revision integer not null default 0,
      organisation_id uuid not null references organisations on delete cascade,
      -- Null: inbound, and nobody took it.
      user_id uuid references users,
      direction text not null check (direction in ('outbound', 'inbound')),
      status text not null
        check (status in ('queued', 'ringing', 'in-progress', 'completed', 'busy', 'no-answer', 'failed', 'canceled')),
      phone_number text not null,
      phone_number_typed text not null,
      called_number text,
      caller_id text,
      caller_verified boolean,
      forwarded_by text,
      -- No reference: a call that rang for somebody who has left stays one to a person.
      rings_for uuid,
      lead_id uuid references leads on delete set null,
      carrier text not null,
      -- No reference: of a carrier that is removed the call says still that it was not another one.
      carrier_connection_id uuid,

      created_at timestamptz not null default clock_timestamp(),
      answered_at timestamptz,
      ended_at timestamptz,
      setup_ms integer,
      duration_ms integer not null default 0,
      reason text,
      sip integer,
      q850 integer,
      cut_off_at timestamptz,
      cut_off_reason text,
      -- What stood there when the call began; nothing for calls that come in, and for the sandbox's.
      price_per_minute_micros bigint not null default 0 check (price_per_minute_micros >= 0),
      cost_micros bigint not null default 0,

      -- A person has two lines: the second only beside a call on the first. A call that goes on without them is on neither.
      line smallint default 1 check (line in (1, 2)),
      joined_with text references calls (call_sid) on delete set null,
      muted boolean not null default false,
      held boolean not null default false,
      held_by_them boolean not null default false,
      silenced boolean not null default false,
      media_connection_id uuid,
      process_key bigint not null,
      seen_at timestamptz not null default clock_timestamp(),
      remembered jsonb,
      -- A call that a process has resumed isn't seen by it before its far end has answered.
      resumed_unseen boolean not null default false,
      idempotency_key text,
      request_hash text,

      note text not null default '',
      note_search text generated always as (nullif(leadline_search.fold(note), '')) stored,
      outcome_id uuid,

      -- Without the organisation before it, the planner walks past everybody else's newer calls to an organisation's newest.
      primary key (organisation_id, id),
      unique (user_id, idempotency_key),
      foreign key (organisation_id, outcome_id) references call_outcomes (organisation_id, id),
      check ((ended_at is null) = (status in ('queued', 'ringing', 'in-progress'))),
      check ((reason is null) = (ended_at is null)),
      constraint calls_of_somebody check (user_id is not null or direction = 'inbound')
    );
    create index calls_by_time on calls (organisation_id, created_at);
    create index calls_by_number on calls (organisation_id, phone_number, id desc);
    create index calls_by_outcome on calls (outcome_id) where outcome_id is not null;
    create index calls_by_lead on calls (lead_id, id desc) where lead_id is not null;
    create index calls_joined_with on calls (joined_with) where joined_with is not null;
    -- It also finds the live calls of all.
    create unique index calls_one_live_a_line on calls (user_id, line) where ended_at is null;
    create index calls_note_search on calls using gin (organisation_id, note_search gin_trgm_ops)
      with (gin_pending_list_limit = 512) where note_search is not null;
    create index calls_number_search on calls using gin (organisation_id, phone_number gin_trgm_ops)
      with (gin_pending_list_limit = 512);

    -- Each one that was asked for, whatever became of it: the limits count it as they count a call.
    create table call_transfers (
      id bigint generated always as identity primary key,
      organisation_id uuid not null references organisations on delete cascade,
      call_sid text not null references calls (call_sid) on delete cascade,
      phone_number text not null,
      phone_number_typed text not null,
      lead_id uuid references leads on delete set null,
      -- No reference: a transfer to somebody who has left stays one to a person. Then phone_number is empty.
      member_id uuid,
      -- One that was asked first was called by a call of its own.
      attended boolean not null default false,
      status text not null default 'asked' check (status in ('asked', 'ringing', 'taken', 'refused', 'unknown')),
      refusal text,
      sip integer,
      asked_at timestamptz not null default clock_timestamp(),
      check ((refusal is not null) = (status = 'refused'))
    );
    create index call_transfers_of_call on call_transfers (call_sid, id desc);
    create index call_transfers_by_time on call_transfers (organisation_id, asked_at);
    create index call_transfers_by_lead on call_transfers (lead_id) where lead_id is not null;
    -- A far end is sent to one place at a time.
    create unique index call_transfers_one_under_way on call_transfers (call_sid) where status in ('asked', 'ringing')`.execute(
    db,
  );
  await forceRowSecurity(db, "calls", `${ownOrganisation} or ${ownUser}`, ownOrganisation);
  for (const table of ["call_outcomes", "call_transfers"]) await forceRowSecurity(db, table, ownOrganisation);
  await createVoicemail(db);
  await createBounds(db);
}

async function createVoicemail(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table voicemail_greetings (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      name text not null,
      stored_name text not null unique,
      duration_ms integer not null,
      created_at timestamptz not null default clock_timestamp(),
      unique (organisation_id, id)
    );

    -- Without a row, what its defaults say holds.
    create table voicemail_settings (
      organisation_id uuid primary key references organisations on delete cascade,
      enabled boolean not null default false,
      ring_seconds integer not null default 20 check (ring_seconds between 5 and 60),
      keep_days integer not null default 90 check (keep_days > 0),
      greeting_id uuid,
      foreign key (organisation_id, greeting_id) references voicemail_greetings (organisation_id, id)
    );

    -- From before its caller is answered.
    create table voicemail_messages (
      call_sid text primary key references calls (call_sid) on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      state text not null default 'recording' check (state in ('recording', 'kept')),
      stored_name text not null unique,
      duration_ms integer not null default 0,
      process_key bigint not null,
      created_at timestamptz not null default clock_timestamp(),
      heard_at timestamptz
    );
    create index voicemail_messages_by_age on voicemail_messages (organisation_id, created_at);
    create index voicemail_messages_half_recorded on voicemail_messages (process_key) where state = 'recording';
    -- Counted for every page of whoever has Leadline open.
    create index voicemail_messages_unheard on voicemail_messages (organisation_id)
      where state = 'kept' and heard_at is null`.execute(db);
  for (const table of ["voicemail_greetings", "voicemail_settings", "voicemail_messages"])
    await forceRowSecurity(db, table, ownOrganisation);
}

async function createBounds(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Without a row, and where a column is null, what limits.table.ts says for everybody holds.
    create table organisation_limits (
      organisation_id uuid primary key references organisations on delete cascade,
      allowed_countries text[],
      concurrent_calls integer check (concurrent_calls > 0),
      calls_per_minute integer check (calls_per_minute > 0),
      daily_spend bigint check (daily_spend >= 0),
      call_minutes integer check (call_minutes > 0)
    );

    create table do_not_call (
      organisation_id uuid not null references organisations on delete cascade,
      phone_number text not null,
      position bigint generated always as identity,
      user_id uuid not null references users,
      call_sid text,
      created_at timestamptz not null default clock_timestamp(),
      primary key (organisation_id, phone_number)
    );
    create unique index do_not_call_newest_first on do_not_call (organisation_id, position desc);
    create index do_not_call_by_call on do_not_call (call_sid) where call_sid is not null;

    -- For numbers that are no lead's, or several leads'; a single lead keeps its own day.
    create table follow_ups (
      organisation_id uuid not null references organisations on delete cascade,
      phone_number text not null,
      follow_up_on date not null,
      primary key (organisation_id, phone_number)
    );
    create index follow_ups_by_day on follow_ups (organisation_id, follow_up_on)`.execute(db);
  for (const table of ["organisation_limits", "do_not_call", "follow_ups"])
    await forceRowSecurity(db, table, ownOrganisation);
}
