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

  // What open streams ask every few seconds, all in one: which of these sessions live, and in which organisation.
  await sql`
    create function live_sessions(asked uuid[])
    returns table (session_id uuid, organisation_id uuid)
    language plpgsql volatile security definer
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      outer_scope text := coalesce(current_setting('app.scope', true), '');
    begin
      perform set_config('app.scope', 'system', true);
      return query
        select s.id, m.organisation_id
        from public.sessions s
        join public.users u on u.id = s.user_id and u.disabled_at is null
        join public.memberships m on m.user_id = u.id and m.organisation_id = u.active_organisation_id
        where s.id = any (asked) and s.ended_at is null and s.expires_at > now();
      perform set_config('app.scope', outer_scope, true);
    end $$`.execute(db);
  await sql`revoke all on function live_sessions(uuid[]) from public`.execute(db);
  await sql`grant execute on function live_sessions(uuid[]) to ${sql.id(appRole)}`.execute(db);
}
