import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Limits by prefix, price and member, and the calls that limits refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table organisation_limits
      add column blocked_prefixes text[] not null default '{}',
      -- Millionths of a US dollar; null: any price.
      add column rate_per_minute bigint check (rate_per_minute >= 0);

    -- Null: the organisation's limit alone. The rows outlive a membership, so that leaving and joining again lifts no limit.
    create table member_limits (
      organisation_id uuid not null references organisations on delete cascade,
      user_id uuid not null references users on delete cascade,
      allowed_countries text[],
      blocked_prefixes text[] not null default '{}',
      concurrent_calls integer check (concurrent_calls > 0),
      calls_per_minute integer check (calls_per_minute > 0),
      daily_spend bigint check (daily_spend >= 0),
      rate_per_minute bigint check (rate_per_minute >= 0),
      call_minutes integer check (call_minutes > 0),
      primary key (organisation_id, user_id)
    );
    create index member_limits_by_user on member_limits (user_id);

    -- One row for each limit, member and day: its owners are mailed once, however many calls are refused.
    create table limit_breaches (
      id uuid primary key default gen_random_uuid(),
      organisation_id uuid not null references organisations on delete cascade,
      user_id uuid not null references users on delete cascade,
      -- On the organisation's clock.
      day date not null,
      limit_name text not null,
      -- The member's own limit, not the organisation's.
      is_members boolean not null,
      phone_number text not null,
      detail text not null,
      attempts integer not null default 1,
      last_at timestamptz not null default clock_timestamp(),
      mailed_at timestamptz,
      unique (organisation_id, user_id, day, limit_name, is_members)
    );
    create index limit_breaches_to_mail on limit_breaches (organisation_id) where mailed_at is null;
    create index limit_breaches_by_user on limit_breaches (user_id)`.execute(db);
  for (const table of ["member_limits", "limit_breaches"]) await forceRowSecurity(db, table, ownOrganisation);
}
