import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/**
 * Leads whose changes are to be written to their CRM, or that are to be created there. A trigger notes the changes, because
 * several statements change leads.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table integrations add column sends_changes boolean not null default false;

    create table lead_writes (
      lead_id uuid primary key references leads on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      integration_id uuid not null references integrations on delete cascade,
      state text not null default 'waiting' check (state in ('waiting', 'written', 'failed')),
      -- The lead isn't in the CRM yet.
      creates boolean not null default false,
      -- By column, what a creation that may have succeeded sent.
      created_with jsonb,
      -- Fields in which the CRM's value replaced the team's.
      conflicts text[] not null default '{}',
      -- Grows with each change.
      version integer not null default 1,
      problem text,
      tries integer not null default 0,
      -- A worker that holds it postpones it.
      due_at timestamptz not null default clock_timestamp(),
      created_at timestamptz not null default clock_timestamp()
    );
    create index lead_writes_due_by_integration on lead_writes (integration_id, due_at) where state = 'waiting';
    create index lead_writes_by_organisation on lead_writes (organisation_id);

    create function note_lead_write() returns trigger
    language plpgsql
    set search_path = pg_catalog, public, pg_temp
    as $$
    begin
      update public.lead_writes set version = version + 1, state = 'waiting',
          due_at = case when state = 'waiting' then due_at else clock_timestamp() end
        where lead_id = new.id and (state = 'waiting' or creates);
      if not found and (new.crm_values is not null or new.status <> coalesce(new.crm_status, new.status))
        and exists (select from public.integrations where id = new.integration_id and sends_changes) then
        insert into public.lead_writes (lead_id, organisation_id, integration_id)
          values (new.id, new.organisation_id, new.integration_id)
          on conflict (lead_id) do update set version = lead_writes.version + 1, state = 'waiting',
            integration_id = excluded.integration_id, conflicts = '{}', problem = null, tries = 0,
            due_at = clock_timestamp();
      end if;
      return null;
    end $$;
    -- What comes from the CRM isn't written there.
    create trigger leads_note_write after update on leads for each row
      when ((old.first_name, old.last_name, old.email, old.phone, old.company, old.job_title, old.status)
          is distinct from
          (new.first_name, new.last_name, new.email, new.phone, new.company, new.job_title, new.status)
        and coalesce(current_setting('app.reads_crm', true), '') <> 'on')
      execute function note_lead_write()`.execute(db);
  await forceRowSecurity(db, "lead_writes", ownOrganisation);
}
