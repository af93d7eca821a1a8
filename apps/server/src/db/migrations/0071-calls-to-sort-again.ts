import { type Kysely, sql } from "kysely";

/** A call that waits for a choice among the leads with its number is decided again when one of them no longer has it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- As in migration 0061, but a removed lead isn't chosen among shown ones.
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
    end $$`.execute(db);
  await sql`
    create function sort_calls_again() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      is_undoable boolean;
      again text[];
      saw text := coalesce(current_setting('app.sees_removed_leads', true), '');
    begin
      -- With its organisation everything goes.
      if not exists (select from public.organisations where id = old.organisation_id) then
        return null;
      end if;
      perform set_config('app.sees_removed_leads', 'on', true);
      -- Undoing a deletion of all of them leaves the choice as it was.
      select bool_and(leads.removal_id is not null) and bool_or(lead_changes.id is not null) into is_undoable
        from public.leads left join public.lead_changes on lead_changes.id = leads.removal_id
        where leads.organisation_id = old.organisation_id and leads.phone_number = old.phone_number;
      perform set_config('app.sees_removed_leads', saw, true);
      with taken as (
        delete from public.call_activities using public.calls
          where call_activities.organisation_id = old.organisation_id and call_activities.state = 'to-sort'
            and calls.call_sid = call_activities.call_sid and calls.phone_number = old.phone_number
            -- A merge has given some of them its lead.
            and (calls.lead_id is not null or is_undoable is not true)
          returning call_activities.call_sid
      )
      select array_agg(call_sid) into again from taken;
      perform public.insert_call_activity(calls, true) from public.calls where call_sid = any(again);
      return null;
    end $$;
    create trigger leads_sort_calls_again after update of phone_number, removal_id on leads for each row
      when (old.phone_number is not null and (new.phone_number is distinct from old.phone_number
        or (old.removal_id is null and new.removal_id is not null)))
      execute function sort_calls_again();
    create trigger deleted_leads_sort_calls_again after delete on leads for each row
      when (old.phone_number is not null) execute function sort_calls_again()`.execute(db);
}
