import { type Kysely, sql } from "kysely";
import { appRole } from "../../app-role.ts";
import { currentOrganisation, currentUser, forceRowSecurity, ownOrganisation, ownUser } from "../../row-security.ts";

/** Organisations, people, and how they sign in. */
export async function createPeople(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organisations (
      id uuid primary key,
      name text not null,
      description text,
      website text,
      balance bigint not null default 0,
      default_country text not null default 'US',
      time_zone text not null default 'UTC',
      opening_hours jsonb not null default '[]',
      created_at timestamptz not null default now(),
      deleted_at timestamptz
    );
    create index organisations_that_go on organisations (id) where deleted_at is not null;

    create table users (
      id uuid primary key,
      first_name text not null,
      last_name text not null,
      email text not null unique,
      avatar text,
      active_organisation_id uuid references organisations on delete set null,
      disabled_at timestamptz,
      created_at timestamptz not null default now()
    );

    create table memberships (
      organisation_id uuid not null references organisations on delete cascade,
      user_id uuid not null references users on delete cascade,
      role text not null check (role in ('owner', 'admin', 'member')),
      created_at timestamptz not null default now(),
      primary key (organisation_id, user_id)
    );
    create index memberships_by_user on memberships (user_id);
    -- Nobody acts in an organisation they do not belong to: who is removed, or leaves, acts in none.
    alter table users add constraint users_act_where_they_belong
      foreign key (active_organisation_id, id) references memberships (organisation_id, user_id)
      on delete set null (active_organisation_id);

    create table invitations (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      email text not null,
      role text not null check (role in ('admin', 'member')),
      token_hash bytea not null unique,
      invited_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      mail_failed boolean not null default false,
      unique (organisation_id, email)
    )`.execute(db);

  const ownMembership = `select 1 from memberships m where m.organisation_id = organisations.id and m.user_id = (select ${currentUser})`;
  const colleague = `select 1 from memberships m where m.user_id = users.id and m.organisation_id = (select ${currentOrganisation})`;
  const inOrganisation = `id = (select ${currentOrganisation})`;
  const oneself = `id = (select ${currentUser})`;
  await forceRowSecurity(db, "organisations", `${inOrganisation} or exists (${ownMembership})`, inOrganisation);
  await forceRowSecurity(db, "users", `${oneself} or exists (${colleague})`, oneself);
  await forceRowSecurity(db, "memberships", `${ownOrganisation} or ${ownUser}`, ownOrganisation);
  await forceRowSecurity(db, "invitations", ownOrganisation);
  await createSignIn(db);
}

async function createSignIn(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Apart from users, because colleagues may read each other's row there.
    create table passwords (
      user_id uuid primary key references users on delete cascade,
      hash text not null,
      changed_at timestamptz not null default now()
    );

    create table password_resets (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      token_hash bytea not null unique,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    );
    create index password_resets_by_user on password_resets (user_id, created_at);

    create table sessions (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      expires_at timestamptz not null,
      ended_at timestamptz,
      ip_address text,
      user_agent text
    );
    create index sessions_by_user on sessions (user_id, last_used_at desc);

    create table refresh_tokens (
      hash bytea primary key,
      session_id uuid not null references sessions on delete cascade,
      user_id uuid not null references users on delete cascade,
      child_hash bytea,
      used_at timestamptz,
      expires_at timestamptz not null,
      -- Of the secret key that it was given under.
      key_id text not null
    );
    create index refresh_tokens_by_session on refresh_tokens (session_id);

    create table sign_in_attempts (
      key bytea primary key,
      attempts integer not null,
      window_ends_at timestamptz not null
    );

    -- Whom an OpenID provider knows by which name.
    create table identities (
      issuer text not null,
      subject text not null,
      user_id uuid not null references users on delete cascade,
      created_at timestamptz not null default now(),
      primary key (issuer, subject),
      unique (user_id, issuer)
    );

    -- Nobody is signed in while one is under way: the system scope alone reads and writes them.
    create table hosted_logins (
      state_hash bytea primary key,
      expires_at timestamptz not null
    )`.execute(db);
  for (const table of ["passwords", "password_resets", "sessions", "refresh_tokens", "identities"])
    await forceRowSecurity(db, table, ownUser);
  for (const table of ["sign_in_attempts", "hosted_logins"]) await forceRowSecurity(db, table, "false");

  // The look-up of every request, before a scope is known; requests that come together are looked up together.
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
    end $$;

    -- What open streams ask every few seconds, all in one: which of these sessions live, and in which organisation.
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
    end $$;

    revoke all on function authenticate_sessions(uuid[]), live_sessions(uuid[]) from public;
    grant execute on function authenticate_sessions(uuid[]), live_sessions(uuid[]) to ${sql.id(appRole)}`.execute(db);
}
