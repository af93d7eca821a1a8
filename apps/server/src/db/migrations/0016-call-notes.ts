import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table call_outcomes (
      id uuid primary key default gen_random_uuid(),
      organisation_id uuid not null references organisations on delete cascade,
      name text not null,
      position integer not null,
      archived_at timestamptz,
      created_at timestamptz not null default now(),
      unique (organisation_id, id)
    )`.execute(db);
  await sql`
    create unique index call_outcomes_one_a_name on call_outcomes (organisation_id, lower(name))
    where archived_at is null`.execute(db);
  await forceRowSecurity(db, "call_outcomes", ownOrganisation);

  await sql`
    alter table calls
      add column setup_ms integer,
      add column cost_micros bigint not null default 0,
      add column note text not null default '',
      add column outcome_id uuid,
      add foreign key (organisation_id, outcome_id) references call_outcomes (organisation_id, id)`.execute(db);
  await sql`create index calls_by_time on calls (organisation_id, created_at)`.execute(db);
  await sql`create index calls_by_number on calls (organisation_id, phone_number, id desc)`.execute(db);
  await sql`create index calls_by_outcome on calls (outcome_id) where outcome_id is not null`.execute(db);
  // For numbers that are no lead's, or several leads'; a single lead keeps its own day.
  await sql`
    create table follow_ups (
      organisation_id uuid not null references organisations on delete cascade,
      phone_number text not null,
      follow_up_on date not null,
      primary key (organisation_id, phone_number)
    )`.execute(db);
  await forceRowSecurity(db, "follow_ups", ownOrganisation);
  await sql`create index follow_ups_by_day on follow_ups (organisation_id, follow_up_on)`.execute(db);
  await sql`
    create index leads_by_follow_up on leads (organisation_id, follow_up_on) where follow_up_on is not null`.execute(
    db,
  );

  // Organisations that stand already get what a new one starts with, and answered calls their set-up by the wall clock.
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await sql`
    insert into call_outcomes (organisation_id, name, position)
    select organisations.id, outcome.name, outcome.position
    from organisations, unnest(array[
      'Interested', 'Call back', 'Not interested', 'Left a message', 'Wrong number', 'Do not call'
    ]) with ordinality as outcome (name, position)`.execute(db);
  await sql`
    update calls set setup_ms = greatest(extract(epoch from answered_at - created_at) * 1000, 0)::int
    where answered_at is not null`.execute(db);
  await sql`select set_config('app.scope', '', true)`.execute(db);
}
