import { type Kysely, sql } from "kysely";
import { searchRole } from "../app-role.ts";

/** The company, which is searched too, the job title, and where the CRM shows the record. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table leads
      add column company text not null default '',
      add column job_title text not null default '',
      add column crm_url text;
    -- With the column go its index and who may read it.
    alter table leads drop column search;
    alter table leads add column search text not null generated always as (
      leadline_search.fold(' ' || first_name || ' ' || last_name || ' ' || company || ' ' || email || ' ' || phone) || ' '
      || regexp_replace(phone, '[^0-9]', '', 'g') || ' ' || coalesce(phone_number, '')
    ) stored;
    create index leads_search on leads using gin (search gin_trgm_ops, (position >> 16), organisation_id)
      with (gin_pending_list_limit = 512);
    grant select (search) on leads to ${sql.id(searchRole)}`.execute(db);
}
