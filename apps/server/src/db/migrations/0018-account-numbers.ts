import { type Kysely, sql } from "kysely";

/** Numbers of the accounts that an organisation connected by API key; each account's numbers have a caller ID of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table phone_numbers
      add column account_id uuid references carrier_accounts on delete set null,
      -- The carrier that calls of the account go through.
      add column connection_id uuid,
      add column country_code text,
      -- How an order stands, why it was refused, or what changed at the vendor.
      add column note text,
      -- Null for a number that was found at the vendor.
      alter column ordered_by drop not null,
      drop constraint phone_numbers_state_check,
      drop constraint phone_numbers_check,
      drop constraint phone_numbers_check1,
      add constraint phone_numbers_state_check
        check (state in ('buying', 'owned', 'releasing', 'released', 'refused')),
      add constraint phone_numbers_acquired_check
        check ((acquired_at is null) = (state in ('buying', 'refused'))),
      add constraint phone_numbers_price_check
        check (account_id is not null or monthly_cost is not null or state not in ('owned', 'releasing'));
    create index phone_numbers_by_account on phone_numbers (account_id) where account_id is not null;
    drop index phone_numbers_one_caller_id;
    create unique index phone_numbers_one_caller_id on phone_numbers (organisation_id, account_id) nulls not distinct
      where is_caller_id;

    create or replace function keep_a_caller_id() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      organisation uuid := coalesce(new.organisation_id, old.organisation_id);
    begin
      if exists (
        select 1 from public.phone_numbers where organisation_id = organisation and state = 'owned'
        group by account_id having not bool_or(is_caller_id)
      ) then
        raise exception 'an organisation with numbers has one of them as its caller ID'
          using errcode = 'check_violation', constraint = 'phone_numbers_a_caller_id';
      end if;
      return null;
    end $$`.execute(db);
}
