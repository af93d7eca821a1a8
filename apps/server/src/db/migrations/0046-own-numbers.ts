import { type Kysely, sql } from "kysely";

/**
 * A verified caller ID is the organisation's own number, like one that it has bought: calls with it belong to no lead.
 * Otherwise the trigger is that of migration 0016.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function note_call_activity() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      whose uuid := new.lead_id;
      integration uuid;
      candidates integer := 1;
      of_crm boolean := true;
      is_shown boolean := true;
      saw text := coalesce(current_setting('app.sees_removed_leads', true), '');
    begin
      if new.phone_number = '' or exists (
        select 1 from public.phone_numbers
          where organisation_id = new.organisation_id and number = new.phone_number and state = 'owned'
      ) or exists (
        select 1 from public.verified_caller_ids
          where organisation_id = new.organisation_id and number = new.phone_number
      ) then
        return null;
      end if;
      perform set_config('app.sees_removed_leads', 'on', true);
      if whose is null then
        -- CRM leads first; two rows show whether it is shared. A removed lead only counts if no other has the number.
        select count(*), bool_or(integration_id is not null), (array_agg(id))[1], bool_and(removal_id is null)
          into candidates, of_crm, whose, is_shown from (
            select id, integration_id, removal_id from public.leads
              where organisation_id = new.organisation_id and phone_number = new.phone_number
                and (removal_id is null or not exists (
                  select from public.leads as shown where shown.organisation_id = new.organisation_id
                    and shown.phone_number = new.phone_number and shown.removal_id is null))
              order by integration_id is null limit 2
          ) as found;
        if candidates > 1 then
          -- A choice ends once its lead has another number.
          whose := (
            select leads.id from public.lead_choices join public.leads on leads.id = lead_choices.lead_id
              where lead_choices.organisation_id = new.organisation_id
                and lead_choices.phone_number = new.phone_number and leads.phone_number = new.phone_number);
        end if;
      end if;
      select integration_id into integration from public.leads where id = whose;
      perform set_config('app.sees_removed_leads', saw, true);
      -- No lead, no CRM lead, or several removed ones, which can't be chosen.
      if not coalesce(of_crm, false) or (whose is not null and integration is null) or (whose is null and not is_shown) then
        return null;
      end if;
      insert into public.call_activities (call_sid, organisation_id, lead_id, integration_id, state)
        values (new.call_sid, new.organisation_id, whose, integration,
          case when whose is null then 'to-sort' else 'waiting' end)
        on conflict (call_sid) do update set
          version = call_activities.version + 1,
          state = case when call_activities.lead_id is null then 'to-sort' else 'waiting' end,
          -- While it waits, a worker may hold it until then, and will notice the newer version.
          due_at = case when call_activities.state = 'waiting' then call_activities.due_at else clock_timestamp() end;
      return null;
    end $$`.execute(db);
}
