import { type Kysely, sql } from "kysely";

/** The leads list sorts by phone and next step, too. Both columns at once, so that the table is rewritten once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table leads
      add column sort_phone text not null
        generated always as (coalesce(phone_number, lower(left(phone, 200)))) stored,
      add column sort_next_step text not null generated always as (lower(left(next_step, 200))) stored;
    create index leads_by_phone on leads (organisation_id, sort_phone, position);
    create index leads_by_next_step on leads (organisation_id, sort_next_step, position)`.execute(db);
}
