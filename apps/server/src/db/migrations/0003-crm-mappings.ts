import { type Kysely, sql } from "kysely";

/** Which of a CRM's kinds of records leads come from, and which field becomes what of a lead. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table integrations add column mapping jsonb`.execute(db);
}
