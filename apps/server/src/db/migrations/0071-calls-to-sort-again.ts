import { type Kysely, sql } from "kysely";

/** A call that waits for a choice among the leads with its number is decided again when one of them no longer has it. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
