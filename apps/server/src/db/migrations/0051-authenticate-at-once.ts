import { type Kysely, sql } from "kysely";
import { appRole } from "../app-role.ts";

/**
 * Requests that come together are authenticated together: the same look-up as authenticate_session, which
 * stays for a process of the version before that still runs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function authenticate_sessions(asked uuid[])
    returns table (session_id uuid, user_id uuid, organisation_id uuid, role text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      outer_scope text := coalesce(current_setting('app.scope', true), '');
    begin
      perform set_config('app.scope', 'system', true);
      return query
        select s.id, u.id, m.organisation_id, m.role
        from public.sessions s
        join public.users u on u.id = s.user_id and u.disabled_at is null
        left join public.memberships m on m.user_id = u.id and m.organisation_id = u.active_organisation_id
        where s.id = any (asked) and s.ended_at is null and s.expires_at > now();
      perform set_config('app.scope', outer_scope, true);
    end $$`.execute(db);
  await sql`revoke all on function authenticate_sessions(uuid[]) from public`.execute(db);
  await sql`grant execute on function authenticate_sessions(uuid[]) to ${sql.id(appRole)}`.execute(db);
}
