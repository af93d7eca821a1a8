import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../../row-security.ts";

/** An organisation's own carriers, its phone numbers, and what it may show as its number. */
export async function createCarriers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table carriers (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      kind text not null,
      label text not null,
      settings jsonb not null,
      -- What no other organisation's carrier may share; null where its kind has nothing such.
      identity jsonb,
      price_per_minute bigint not null default 0 check (price_per_minute between 0 and 100000000),
      in_use boolean not null default false,
      generation integer not null default 1,
      created_at timestamptz not null default clock_timestamp()
    );
    create index carriers_by_organisation on carriers (organisation_id, created_at);
    create unique index carriers_one_in_use on carriers (organisation_id) where in_use;

    -- Apart from carriers, so that no list of them can carry a secret.
    create table carrier_secrets (
      carrier_id uuid primary key references carriers on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      sealed text not null
    );

    -- For a server of a carrier's: whoever answers there can make anything of a number, so that it proves nothing elsewhere.
    create table verified_caller_ids (
      organisation_id uuid not null references organisations on delete cascade,
      number text not null,
      server text not null,
      verified_at timestamptz not null default clock_timestamp(),
      primary key (organisation_id, number, server)
    );

    create table caller_id_codes (
      carrier_id uuid primary key references carriers on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      number text not null,
      server text not null,
      code_hash bytea not null,
      tries integer not null default 0,
      expires_at timestamptz not null
    );

    -- A row is written before the carrier is asked, so that a purchase or a return outlives the process that began it.
    create table phone_numbers (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      number text not null,
      carrier text not null,
      state text not null check (state in ('buying', 'owned', 'releasing', 'released')),
      label text,
      is_caller_id boolean not null default false,
      monthly_cost bigint check (monthly_cost >= 0),
      ordered_by uuid not null references users,
      state_since timestamptz not null default clock_timestamp(),
      acquired_at timestamptz,
      released_at timestamptz,
      idempotency_key text,
      request_hash text,
      check ((acquired_at is null) = (state = 'buying')),
      check ((monthly_cost is null) = (state = 'buying')),
      check ((released_at is null) = (state not in ('releasing', 'released'))),
      check (not is_caller_id or state = 'owned'),
      unique (organisation_id, ordered_by, idempotency_key)
    );
    -- Of all organisations together: one that row-level security hides from the buyer still has it.
    create unique index phone_numbers_one_holder on phone_numbers (number)
      where state in ('buying', 'owned', 'releasing');
    create index phone_numbers_by_organisation on phone_numbers (organisation_id, state);
    create index phone_numbers_unsettled on phone_numbers (state_since) where state in ('buying', 'releasing');
    create unique index phone_numbers_one_caller_id on phone_numbers (organisation_id) where is_caller_id;

    -- The index keeps a second caller ID out; this sees, when a transaction ends, that the first is not missing.
    create function keep_a_caller_id() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      organisation uuid := coalesce(new.organisation_id, old.organisation_id);
    begin
      if exists (select 1 from public.phone_numbers where organisation_id = organisation and state = 'owned')
        and not exists (select 1 from public.phone_numbers where organisation_id = organisation and is_caller_id)
      then
        raise exception 'an organisation with numbers has one of them as its caller ID'
          using errcode = 'check_violation', constraint = 'phone_numbers_a_caller_id';
      end if;
      return null;
    end $$;
    create constraint trigger phone_numbers_a_caller_id
      after insert or update or delete on phone_numbers
      deferrable initially deferred
      for each row execute function keep_a_caller_id()`.execute(db);
  for (const table of ["carriers", "carrier_secrets", "verified_caller_ids", "caller_id_codes", "phone_numbers"])
    await forceRowSecurity(db, table, ownOrganisation);
}
