import { type Kysely, sql } from "kysely";

/** Who owns a lead, when it was last called, and what comes next; with an index for each way to sort the list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table leads
      add column owner_id uuid references users on delete set null,
      -- The name of an owner in the CRM who is no member here; of no use where a member owns it.
      add column owner_name text not null default '',
      -- Whom the CRM last named as its owner, by name and email; empty where it named nobody.
      add column crm_owner text not null default '',
      -- Minus infinity: never called.
      add column last_called_at timestamptz not null default '-infinity',
      add column next_step text not null default '',
      add column sort_company text not null generated always as (lower(left(company, 200))) stored,
      -- Leads without a day to call back come last.
      add column due_on date not null generated always as (coalesce(follow_up_on, 'infinity'::date)) stored;
    create index leads_by_owner on leads (organisation_id, owner_id, position) where owner_id is not null;
    create index leads_by_company on leads (organisation_id, sort_company, position);
    create index leads_by_last_call on leads (organisation_id, last_called_at, position);
    create index leads_by_due_day on leads (organisation_id, due_on, position)`.execute(db);
  await followCalls(db);
  await sql`
    select set_config('app.scope', 'system', true);
    update leads set last_called_at = last_call_of_lead(organisation_id, id, phone_number);
    select set_config('app.scope', '', true)`.execute(db);
}

/** A call counts for its lead, or else for every lead with its number, as the lead's own page lists it. */
async function followCalls(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function last_call_of_lead(organisation uuid, lead uuid, number text) returns timestamptz
    language sql stable
    set search_path = pg_catalog, public, pg_temp
    as $$
      select greatest(
        (select created_at from public.calls
          where organisation_id = organisation and lead_id = lead order by id desc limit 1),
        (select created_at from public.calls
          where organisation_id = organisation and phone_number = number and lead_id is null order by id desc limit 1),
        '-infinity'::timestamptz)
    $$;

    create function note_last_call() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      if new.lead_id is not null then
        update public.leads set last_called_at = new.created_at
          where organisation_id = new.organisation_id and id = new.lead_id and last_called_at < new.created_at;
      elsif new.phone_number <> '' then
        -- A switchboard can be the number of thousands: a call updates a hundred at most.
        update public.leads set last_called_at = new.created_at
          where id in (
            select id from public.leads
              where organisation_id = new.organisation_id and phone_number = new.phone_number
                and last_called_at < new.created_at
              order by id limit 100 for no key update);
      end if;
      return null;
    end $$;
    create trigger calls_note_last_call_at_end after update of ended_at, lead_id on calls for each row
      when (new.ended_at is not null and (
        old.ended_at is null or (new.lead_id is not null and new.lead_id is distinct from old.lead_id)))
      execute function note_last_call();
    create trigger calls_note_last_call_at_once after insert on calls for each row
      when (new.ended_at is not null) execute function note_last_call();

    -- Leads that come after their calls. Once for a statement: a sync inserts thousands.
    create function find_last_calls() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      if exists (
        select from public.calls where organisation_id = (select organisation_id from added limit 1)
      ) then
        update public.leads set last_called_at = past.at
          from (
            select id, organisation_id, public.last_call_of_lead(organisation_id, id, phone_number) as at
              from added where phone_number is not null
          ) as past
          where leads.id = past.id and leads.organisation_id = past.organisation_id and past.at > leads.last_called_at;
      end if;
      return null;
    end $$;
    create trigger leads_find_last_calls after insert on leads referencing new table as added
      for each statement execute function find_last_calls();

    create function find_last_call() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      new.last_called_at := public.last_call_of_lead(new.organisation_id, new.id, new.phone_number);
      return new;
    end $$;
    create trigger leads_find_last_call before update of phone_number on leads for each row
      when (new.phone_number is distinct from old.phone_number) execute function find_last_call()`.execute(db);
}
