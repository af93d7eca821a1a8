import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  // A row is written before the carrier is asked, so that a purchase or a return outlives the process that began it.
  await sql`
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
    )`.execute(db);
  // Of all organisations together: one that row-level security hides from the buyer still has it.
  await sql`
    create unique index phone_numbers_one_holder on phone_numbers (number)
    where state in ('buying', 'owned', 'releasing')`.execute(db);
  await sql`create index phone_numbers_by_organisation on phone_numbers (organisation_id, state)`.execute(db);
  await sql`create index phone_numbers_unsettled on phone_numbers (state_since) where state in ('buying', 'releasing')`.execute(
    db,
  );
  await sql`
    create unique index phone_numbers_one_caller_id on phone_numbers (organisation_id) where is_caller_id`.execute(db);
  await forceRowSecurity(db, "phone_numbers", ownOrganisation);

  // The index keeps a second caller ID out; this sees, when a transaction ends, that the first is not missing.
  await sql`
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
    end $$`.execute(db);
  await sql`
    create constraint trigger phone_numbers_a_caller_id
    after insert or update or delete on phone_numbers
    deferrable initially deferred
    for each row execute function keep_a_caller_id()`.execute(db);
}
