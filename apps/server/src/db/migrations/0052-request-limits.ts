import { type Kysely, sql } from "kysely";

/** How many requests a CRM still accepts, as it last reported. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table integrations add column request_limit jsonb`.execute(db);
}
