import { type Kysely, sql } from "kysely";

/**
 * What the CRM has in the fields that the team changed, so that a sync replaces the team's value only once the CRM's own
 * changes. A trigger keeps it, because several statements change leads.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- By column: the value that the CRM last reported. JSON null if the field's mapping has changed since. Columns that
    -- equal the CRM's value are missing.
    alter table leads add column crm_values jsonb;
    create index leads_that_differ_from_crm on leads (integration_id) where crm_values is not null;

    create function keep_crm_values() returns trigger
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
          ('job_title', old.job_title, new.job_title)
        ) as fields (field, before, after)
        where case when known ? field then known->>field else before end is distinct from after;
      return new;
    end $$;
    -- A sync says so in app.reads_crm and sets the column itself.
    create trigger leads_keep_crm_values before update on leads for each row
      when (coalesce(old.external_id, old.former_external_id) is not null
        and (old.first_name, old.last_name, old.email, old.phone, old.company, old.job_title)
          is distinct from (new.first_name, new.last_name, new.email, new.phone, new.company, new.job_title)
        and coalesce(current_setting('app.reads_crm', true), '') <> 'on')
      execute function keep_crm_values()`.execute(db);
}
