import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation, ownUser } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table password_resets (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      token_hash bytea not null unique,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db);
  await sql`create index password_resets_by_user on password_resets (user_id, created_at)`.execute(db);
  await forceRowSecurity(db, "password_resets", ownUser);

  await sql`
    create table invitations (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      email text not null,
      role text not null check (role in ('admin', 'member')),
      token_hash bytea not null unique,
      invited_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      unique (organisation_id, email)
    )`.execute(db);
  await forceRowSecurity(db, "invitations", ownOrganisation);

  // Nobody acts in an organisation they do not belong to: who is removed, or leaves, acts in none.
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await sql`
    update users set active_organisation_id = null
    where active_organisation_id is not null and not exists (
      select 1 from memberships m where m.user_id = users.id and m.organisation_id = users.active_organisation_id
    )`.execute(db);
  await sql`select set_config('app.scope', '', true)`.execute(db);
  await sql`
    alter table users add constraint users_act_where_they_belong
    foreign key (active_organisation_id, id) references memberships (organisation_id, user_id)
    on delete set null (active_organisation_id)`.execute(db);

  await sql`
    alter table organisations
      add column time_zone text not null default 'UTC',
      add column opening_hours jsonb not null default '[
        {"day": "monday", "opensAt": "09:00", "closesAt": "17:00"},
        {"day": "tuesday", "opensAt": "09:00", "closesAt": "17:00"},
        {"day": "wednesday", "opensAt": "09:00", "closesAt": "17:00"},
        {"day": "thursday", "opensAt": "09:00", "closesAt": "17:00"},
        {"day": "friday", "opensAt": "09:00", "closesAt": "17:00"}
      ]'`.execute(db);
}
