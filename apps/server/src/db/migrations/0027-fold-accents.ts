import { type Kysely, sql } from "kysely";
import { searchRole } from "../app-role.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  // fold-text.ts does the same to what is searched for. Marks are taken off before lower(), which some locales keep to ASCII.
  await sql`
    create function leadline_search.fold(given text) returns text
    language sql immutable parallel safe strict
    as $$
      select replace(replace(replace(replace(
        translate(lower(regexp_replace(normalize(given, NFD), U&'[\\0300-\\036f]', '', 'g')), 'øØłŁđĐðÐıẞÆŒÞ', 'oollddddißæœþ'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
    $$`.execute(db);
  await sql`drop index leads_search`.execute(db);
  await sql`alter table leads drop column search`.execute(db);
  await sql`
    alter table leads add column search text not null generated always as (
      leadline_search.fold(' ' || first_name || ' ' || last_name || ' ' || email || ' ' || phone) || ' '
      || regexp_replace(phone, '[^0-9]', '', 'g') || ' ' || coalesce(phone_number, '')
    ) stored`.execute(db);
  await sql`
    create index leads_search on leads using gin (organisation_id, search gin_trgm_ops)
    with (gin_pending_list_limit = 512)`.execute(db);
  await sql`grant select (search) on leads to ${sql.id(searchRole)}`.execute(db);
}
