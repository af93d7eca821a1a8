import { type Kysely, sql } from "kysely";

/** What a CRM's mapping keeps of a lead besides Leadline's own fields: a list of names and values. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table leads add column crm_fields jsonb not null default '[]'`.execute(db);
}
