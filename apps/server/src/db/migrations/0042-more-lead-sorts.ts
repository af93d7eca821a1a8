import { type Kysely, sql } from "kysely";

/** The leads list sorts by job title and email, too. Both columns at once, so that the table is rewritten once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table leads
      add column sort_job_title text not null generated always as (lower(left(job_title, 200))) stored,
      add column sort_email text not null generated always as (lower(left(email, 200))) stored;
    create index leads_by_job_title on leads (organisation_id, sort_job_title, position);
    create index leads_by_sort_email on leads (organisation_id, sort_email, position)`.execute(db);
}
