import { type Kysely, sql } from "kysely";

/** Access to a CRM is refreshed by whoever has the lease, in no transaction. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table crm_grants add column refreshing_until timestamptz`.execute(db);
}
