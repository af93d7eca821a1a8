import { type Kysely, sql } from "kysely";

/** A CRM may also fill in the next step, so the team's own is kept like other fields; and the owner is sent, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function keep_crm_values() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    declare
      known jsonb := coalesce(old.crm_values, '{}');
    begin
      select jsonb_object_agg(field, case when known ? field then known->>field else before end) into new.crm_values
        from (values
          ('first_name', old.first_name, new.first_name),
          ('last_name', old.last_name, new.last_name),
          ('email', old.email, new.email),
          ('phone', old.phone, new.phone),
          ('company', old.company, new.company),
          ('job_title', old.job_title, new.job_title),
          ('next_step', old.next_step, new.next_step)
        ) as fields (field, before, after)
        where case when known ? field then known->>field else before end is distinct from after;
      return new;
    end $$;
    drop trigger leads_keep_crm_values on leads;
    create trigger leads_keep_crm_values before update on leads for each row
      when (coalesce(old.external_id, old.former_external_id) is not null
        and (old.first_name, old.last_name, old.email, old.phone, old.company, old.job_title, old.next_step)
          is distinct from
          (new.first_name, new.last_name, new.email, new.phone, new.company, new.job_title, new.next_step)
        and coalesce(current_setting('app.reads_crm', true), '') <> 'on')
      execute function keep_crm_values();

    create or replace function note_lead_write() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      update public.lead_writes set version = version + 1, state = 'waiting',
          due_at = case when state = 'waiting' then due_at else clock_timestamp() end
        where lead_id = new.id and (state = 'waiting' or creates);
      if not found and (new.crm_values is not null or new.status <> coalesce(new.crm_status, new.status)
          or new.owner_id is distinct from old.owner_id or new.owner_name <> old.owner_name)
        and exists (select from public.integrations where id = new.integration_id and sends_changes) then
        insert into public.lead_writes (lead_id, organisation_id, integration_id)
          values (new.id, new.organisation_id, new.integration_id)
          on conflict (lead_id) do update set version = lead_writes.version + 1, state = 'waiting',
            integration_id = excluded.integration_id, conflicts = '{}', problem = null, tries = 0,
            due_at = clock_timestamp();
      end if;
      return null;
    end $$;
    drop trigger leads_note_write on leads;
    create trigger leads_note_write after update on leads for each row
      when ((old.first_name, old.last_name, old.email, old.phone, old.company, old.job_title, old.status,
          old.next_step, old.owner_id, old.owner_name) is distinct from
          (new.first_name, new.last_name, new.email, new.phone, new.company, new.job_title, new.status,
          new.next_step, new.owner_id, new.owner_name)
        and coalesce(current_setting('app.reads_crm', true), '') <> 'on')
      execute function note_lead_write();

    select set_config('app.scope', 'system', true);
    select set_config('app.sees_removed_leads', 'on', true);
    -- Until now every next step was the team's own.
    update leads set crm_values = coalesce(crm_values, '{}') || '{"next_step": null}'
      where next_step <> '' and coalesce(external_id, former_external_id) is not null;
    select set_config('app.sees_removed_leads', '', true);
    select set_config('app.scope', '', true)`.execute(db);
}
