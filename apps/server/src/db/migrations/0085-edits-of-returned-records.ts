import { type Kysely, sql } from "kysely";

/** What the team has changed in a lead is sent once its record, which the CRM no longer had, is there again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_writes_of_restored_lead() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      if not exists (select from public.integrations where id = new.integration_id and sends_changes) then
        return null;
      end if;
      insert into public.lead_writes (lead_id, organisation_id, integration_id)
        select new.id, new.organisation_id, new.integration_id
        where new.crm_values is not null or new.status <> coalesce(new.crm_status, new.status)
          or case when new.owner_id is null then new.owner_name = '' and new.crm_owner <> ''
            -- Another member than the CRM's owner is mapped to.
            else exists (select from public.memberships as member
                where member.organisation_id = new.organisation_id and member.user_id = new.owner_id)
              and not exists (select from public.crm_owners join public.users on users.id = new.owner_id
                where crm_owners.organisation_id = new.organisation_id and crm_owners.integration_id = new.integration_id
                  and crm_owners.owner_key = public.crm_owner_key(new.crm_owner)
                  and case crm_owners.maps_to when 'member' then crm_owners.user_id = users.id
                    when 'email' then users.email = lower(crm_owners.email) else false end) end
        on conflict (lead_id) do update set version = lead_writes.version + 1, state = 'waiting',
          integration_id = excluded.integration_id, conflicts = '{}', problem = null, tries = 0,
          due_at = clock_timestamp()
        -- The record of a lead that is being created there has its values.
        where not lead_writes.creates;
      return null;
    end $$;
    create trigger leads_note_writes_again after update of external_id on leads for each row
      when (old.external_id is null and new.external_id is not null)
      execute function note_writes_of_restored_lead()`.execute(db);
}
