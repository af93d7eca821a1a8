import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table do_not_call (
      organisation_id uuid not null references organisations on delete cascade,
      phone_number text not null,
      position bigint generated always as identity,
      user_id uuid not null references users,
      call_sid text,
      created_at timestamptz not null default clock_timestamp(),
      primary key (organisation_id, phone_number)
    )`.execute(db);
  await forceRowSecurity(db, "do_not_call", ownOrganisation);
  await sql`create unique index do_not_call_newest_first on do_not_call (organisation_id, position desc)`.execute(db);
  await sql`create index do_not_call_by_call on do_not_call (call_sid) where call_sid is not null`.execute(db);

  await sql`alter table call_outcomes add column do_not_call boolean not null default false`.execute(db);
  // What the outcome of this name said so far without effect.
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await sql`update call_outcomes set do_not_call = true where lower(name) = 'do not call'`.execute(db);
  await sql`
    insert into do_not_call (organisation_id, phone_number, user_id, call_sid, created_at)
    select distinct on (calls.organisation_id, calls.phone_number)
      calls.organisation_id, calls.phone_number, calls.user_id, calls.call_sid, calls.created_at
    from calls join call_outcomes on call_outcomes.id = calls.outcome_id and call_outcomes.do_not_call
    order by calls.organisation_id, calls.phone_number, calls.id desc`.execute(db);
  await sql`select set_config('app.scope', '', true)`.execute(db);
}
