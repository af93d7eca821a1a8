import { type Kysely, sql } from "kysely";
import { appRole } from "../app-role.ts";

/** Analysts: members who only read, and whom no call rings. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table memberships
      drop constraint memberships_role_check,
      add constraint memberships_role_check check (role in ('owner', 'admin', 'member', 'analyst'));
    alter table invitations
      drop constraint invitations_role_check,
      add constraint invitations_role_check check (role in ('admin', 'member', 'analyst'));

    drop function live_sessions(uuid[]);
    create function live_sessions(asked uuid[])
    returns table (session_id uuid, organisation_id uuid, takes_calls boolean)
    language plpgsql volatile security definer
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      outer_scope text := coalesce(current_setting('app.scope', true), '');
    begin
      perform set_config('app.scope', 'system', true);
      return query
        select s.id, m.organisation_id, m.role <> 'analyst'
        from public.sessions s
        join public.users u on u.id = s.user_id and u.disabled_at is null
        join public.memberships m on m.user_id = u.id and m.organisation_id = u.active_organisation_id
        where s.id = any (asked) and s.ended_at is null and s.expires_at > now();
      perform set_config('app.scope', outer_scope, true);
    end $$;
    revoke all on function live_sessions(uuid[]) from public;
    grant execute on function live_sessions(uuid[]) to ${sql.id(appRole)}`.execute(db);
}
