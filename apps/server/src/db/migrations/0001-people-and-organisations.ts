import { type Kysely, sql } from "kysely";
import { appRole } from "../app-role.ts";
import { currentOrganisation, currentUser, forceRowSecurity, ownOrganisation, ownUser } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organisations (
      id uuid primary key,
      name text not null,
      description text,
      website text,
      balance bigint not null default 0,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table users (
      id uuid primary key,
      first_name text not null,
      last_name text not null,
      email text not null unique,
      avatar text,
      active_organisation_id uuid references organisations on delete set null,
      disabled_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db);
  // Apart from users, because colleagues may read each other's row there.
  await sql`
    create table passwords (
      user_id uuid primary key references users on delete cascade,
      hash text not null,
      changed_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table memberships (
      organisation_id uuid not null references organisations on delete cascade,
      user_id uuid not null references users on delete cascade,
      role text not null check (role in ('owner', 'admin', 'member')),
      created_at timestamptz not null default now(),
      primary key (organisation_id, user_id)
    )`.execute(db);
  await sql`create index memberships_by_user on memberships (user_id)`.execute(db);
  await sql`
    create table sessions (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      expires_at timestamptz not null,
      ended_at timestamptz,
      ip_address text,
      user_agent text
    )`.execute(db);
  await sql`create index sessions_by_user on sessions (user_id, last_used_at desc)`.execute(db);
  await sql`
    create table refresh_tokens (
      hash bytea primary key,
      session_id uuid not null references sessions on delete cascade,
      user_id uuid not null references users on delete cascade,
      child_hash bytea,
      used_at timestamptz,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index refresh_tokens_by_session on refresh_tokens (session_id)`.execute(db);
  await sql`
    create table sign_in_attempts (
      key bytea primary key,
      attempts integer not null,
      window_ends_at timestamptz not null
    )`.execute(db);

  const ownMembership = `select 1 from memberships m where m.organisation_id = organisations.id and m.user_id = (select ${currentUser})`;
  const colleague = `select 1 from memberships m where m.user_id = users.id and m.organisation_id = (select ${currentOrganisation})`;
  const inOrganisation = `id = (select ${currentOrganisation})`;
  const oneself = `id = (select ${currentUser})`;
  await forceRowSecurity(db, "organisations", `${inOrganisation} or exists (${ownMembership})`, inOrganisation);
  await forceRowSecurity(db, "users", `${oneself} or exists (${colleague})`, oneself);
  await forceRowSecurity(db, "passwords", ownUser);
  await forceRowSecurity(db, "memberships", `${ownOrganisation} or ${ownUser}`, ownOrganisation);
  await forceRowSecurity(db, "sessions", ownUser);
  await forceRowSecurity(db, "refresh_tokens", ownUser);
  await forceRowSecurity(db, "sign_in_attempts", "false");

  // The one look-up of every request, before a scope is known. It answers about a single session and nothing else.
  await sql`
    create function authenticate_session(asked uuid)
    returns table (user_id uuid, organisation_id uuid, role text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      outer_scope text := coalesce(current_setting('app.scope', true), '');
    begin
      perform set_config('app.scope', 'system', true);
      return query
        select u.id, m.organisation_id, m.role
        from public.sessions s
        join public.users u on u.id = s.user_id and u.disabled_at is null
        left join public.memberships m on m.user_id = u.id and m.organisation_id = u.active_organisation_id
        where s.id = asked and s.ended_at is null and s.expires_at > now();
      perform set_config('app.scope', outer_scope, true);
    end $$`.execute(db);
  await sql`revoke all on function authenticate_session(uuid) from public`.execute(db);
  await sql`grant execute on function authenticate_session(uuid) to ${sql.id(appRole)}`.execute(db);
}
