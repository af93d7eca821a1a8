import { type Kysely, sql } from "kysely";

/** What keeps a write to a CRM from being made twice, made in vain, or forgotten. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Who holds a row: a worker that was overtaken notices it.
    alter table call_activities add column lease uuid;
    alter table lead_writes add column lease uuid;
    -- An earlier row of the call, which is gone, may have been written. Only the end of a call rules it out.
    alter table call_activities add column may_exist boolean not null default true;
    -- The CRM has reached a limit. How often in a row, so that the pauses become longer.
    alter table integrations add column paused_until timestamptz;
    alter table integrations add column pauses integer not null default 0;
    -- The CRM has refused to renew this access.
    alter table crm_grants add column is_refused boolean not null default false`.execute(db);
  await sql`
    -- The lead of a call is found as in migration 0046.
    create function insert_call_activity(call calls, may_exist boolean) returns void
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
          -- A choice ends once its lead has another number.
          whose := (
            select leads.id from public.lead_choices join public.leads on leads.id = lead_choices.lead_id
              where lead_choices.organisation_id = call.organisation_id
                and lead_choices.phone_number = call.phone_number and leads.phone_number = call.phone_number);
        end if;
      end if;
      select integration_id into integration from public.leads where id = whose;
      perform set_config('app.sees_removed_leads', saw, true);
      -- No lead, no CRM lead, or several removed ones, which can't be chosen.
      if not coalesce(of_crm, false) or (whose is not null and integration is null) or (whose is null and not is_shown) then
        return;
      end if;
      insert into public.call_activities (call_sid, organisation_id, lead_id, integration_id, state, may_exist)
        values (call.call_sid, call.organisation_id, whose, integration,
          case when whose is null then 'to-sort' else 'waiting' end, insert_call_activity.may_exist)
        on conflict (call_sid) do update set version = call_activities.version + 1;
    end $$;

    -- A call that has an activity keeps its lead, whoever has its number by now.
    create or replace function note_call_activity() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      update public.call_activities set version = version + 1,
          state = case when lead_id is null then 'to-sort' else 'waiting' end,
          -- While it waits, a worker may hold it until then, and will notice the newer version.
          due_at = case when state = 'waiting' then due_at else clock_timestamp() end
        where call_sid = new.call_sid;
      if not found then
        perform public.insert_call_activity(new, tg_op = 'UPDATE' and old.ended_at is not null);
      end if;
      return null;
    end $$;

    -- A record that was deleted in the CRM is there again.
    create function write_calls_of_restored_lead() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      update public.call_activities set state = 'waiting', problem = null, due_at = clock_timestamp()
        where lead_id = new.id and integration_id = new.integration_id and state = 'failed';
      return null;
    end $$;
    create trigger leads_write_calls_again after update of external_id on leads for each row
      when (old.external_id is null and new.external_id is not null)
      execute function write_calls_of_restored_lead()`.execute(db);
}
