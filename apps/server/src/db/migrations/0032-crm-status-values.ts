import { type Kysely, sql } from "kysely";

/** What the CRM's own status of a lead was, so that another mapping isn't taken for a change there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table leads add column crm_status_value text`.execute(db);
}
