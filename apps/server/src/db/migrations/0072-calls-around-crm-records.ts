import { type Kysely, sql } from "kysely";

/**
 * A call whose lead's record leaves its CRM meanwhile is listed as not logged, and one that ends before its lead has a
 * record is logged once it has.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- When the CRM no longer had the record. Null while it has, and for leads that it never had or that were disconnected.
    alter table leads add column left_crm_at timestamptz;

    -- As in migration 0071, but a call whose lead's record has left its CRM since the call began isn't passed over.
    create or replace function insert_call_activity(call calls, may_exist boolean) returns void
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      whose uuid := call.lead_id;
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
  await sql`
    -- A record that left the CRM is there again, or the lead has just got one.
    create or replace function write_calls_of_restored_lead() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      update public.call_activities set state = 'waiting', problem = null, due_at = clock_timestamp()
        where lead_id = new.id and integration_id = new.integration_id and state = 'failed';
      perform public.insert_call_activity(calls, true)
        from public.calls join public.integrations on integrations.id = new.integration_id
        where calls.organisation_id = new.organisation_id and calls.ended_at >= integrations.created_at
          and (calls.lead_id = new.id or (calls.lead_id is null and calls.phone_number = new.phone_number))
          and not exists (select from public.call_activities where call_activities.call_sid = calls.call_sid);
      return null;
    end $$;

    -- Calls with the numbers of leads that a CRM has just brought, since it was added.
    create function write_calls_of_new_leads() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      perform public.insert_call_activity(calls, true) from public.calls where call_sid in (
        select of_number.call_sid from added
          join public.integrations on integrations.id = added.integration_id
          join public.calls as of_number on of_number.organisation_id = added.organisation_id
            and of_number.phone_number = added.phone_number
          where of_number.lead_id is null and of_number.ended_at >= integrations.created_at
            and not exists (select from public.call_activities where call_activities.call_sid = of_number.call_sid));
      return null;
    end $$;
    create trigger leads_write_calls_of_new after insert on leads referencing new table as added
      for each statement execute function write_calls_of_new_leads()`.execute(db);
}
