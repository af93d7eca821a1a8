import { type Kysely, sql } from "kysely";

/**
 * A call that is logged isn't logged again when its lead is deleted, and one that ended before its lead had its number is
 * logged once the lead has it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await keepLoggedCalls(db);
  await writeCallsOfNumbers(db);
}

async function keepLoggedCalls(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table calls
      -- Set once the call's activity is deleted: on whose record it is in a CRM, or may be. No reference: it stays so when
      -- that lead is deleted.
      add column logged_for uuid,
      -- A CRM is known to have it.
      add column was_logged boolean not null default false;
    create function keep_logged_call() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      -- With its organisation everything goes. An erased call has no number, and is never logged.
      if exists (select from public.organisations where id = old.organisation_id) then
        update public.calls set logged_for = old.lead_id, was_logged = was_logged or old.external_id is not null
          where call_sid = old.call_sid and phone_number <> '';
      end if;
      return null;
    end $$;
    create trigger deleted_activities_keep_logged_call after delete on call_activities for each row
      when (old.lead_id is not null and (old.tries > 0 or old.external_id is not null))
      execute function keep_logged_call()`.execute(db);
  await sql`
    -- As in migration 0072, but a call that may be logged belongs to no other lead any more.
    create or replace function insert_call_activity(call calls, may_exist boolean) returns void
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      whose uuid := coalesce(call.logged_for, call.lead_id);
      integration uuid;
      candidates integer := 1;
      of_crm boolean := true;
      is_shown boolean := true;
      saw text := coalesce(current_setting('app.sees_removed_leads', true), '');
    begin
      if call.phone_number = '' or exists (
        select 1 from public.phone_numbers
          where organisation_id = call.organisation_id and number = call.phone_number and state = 'owned'
      ) or exists (
        select 1 from public.verified_caller_ids
          where organisation_id = call.organisation_id and number = call.phone_number
      ) then
        return;
      end if;
      perform set_config('app.sees_removed_leads', 'on', true);
      if whose is null then
        -- CRM leads first; two rows show whether it is shared. A removed lead only counts if no other has the number.
        select count(*), bool_or(integration_id is not null), (array_agg(id))[1], bool_and(removal_id is null)
          into candidates, of_crm, whose, is_shown from (
            select id, integration_id, removal_id from public.leads
              where organisation_id = call.organisation_id and phone_number = call.phone_number
                and (removal_id is null or not exists (
                  select from public.leads as shown where shown.organisation_id = call.organisation_id
                    and shown.phone_number = call.phone_number and shown.removal_id is null))
              order by integration_id is null limit 2
          ) as found;
        if candidates > 1 then
          -- A choice ends once its lead has another number, or is removed while others have this one.
          whose := (
            select leads.id from public.lead_choices join public.leads on leads.id = lead_choices.lead_id
              where lead_choices.organisation_id = call.organisation_id
                and lead_choices.phone_number = call.phone_number and leads.phone_number = call.phone_number
                and (leads.removal_id is null or not is_shown));
        end if;
      end if;
      select coalesce(leads.integration_id, former.id) into integration
        from public.leads
        -- The worker will say that the record is gone.
        left join public.integrations as former on leads.integration_id is null and leads.left_crm_at >= call.created_at
          and former.organisation_id = call.organisation_id and former.status = 'active'
          and former.service || ':' || former.account_id = leads.former_account
        where leads.id = whose
        limit 1;
      perform set_config('app.sees_removed_leads', saw, true);
      -- No CRM lead, no lead, or several removed ones, which can't be chosen.
      if (whose is not null and integration is null) or (whose is null and not (coalesce(of_crm, false) and is_shown)) then
        return;
      end if;
      insert into public.call_activities (call_sid, organisation_id, lead_id, integration_id, state, may_exist)
        values (call.call_sid, call.organisation_id, whose, integration,
          case when whose is null then 'to-sort' else 'waiting' end, insert_call_activity.may_exist)
        on conflict (call_sid) do update set version = call_activities.version + 1;
    end $$`.execute(db);
}

async function writeCallsOfNumbers(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Finds calls that ended while their leads were being stored.
    create index calls_by_end on calls (ended_at) where ended_at is not null;

    -- The lead has just got its record or its number. Calls since its CRM was added.
    create function write_calls_of_lead(lead leads) returns void
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      perform public.insert_call_activity(calls, true)
        from public.calls join public.integrations on integrations.id = lead.integration_id
        where calls.organisation_id = lead.organisation_id and calls.ended_at >= integrations.created_at
          and (calls.lead_id = lead.id or (calls.lead_id is null and calls.phone_number = lead.phone_number))
          and not exists (select from public.call_activities where call_activities.call_sid = calls.call_sid);
    end $$;

    create or replace function write_calls_of_restored_lead() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      update public.call_activities set state = 'waiting', problem = null, due_at = clock_timestamp()
        where lead_id = new.id and integration_id = new.integration_id and state = 'failed';
      perform public.write_calls_of_lead(new);
      return null;
    end $$;

    create function write_calls_of_number() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      perform public.write_calls_of_lead(new);
      return null;
    end $$;
    -- By row, so that a page of leads whose numbers are as before costs nothing.
    create trigger leads_write_calls_of_number after update of phone_number on leads for each row
      when (new.phone_number is not null and new.phone_number is distinct from old.phone_number
        and new.integration_id is not null and new.removal_id is null)
      execute function write_calls_of_number()`.execute(db);
}
