import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table crm_logins add column used_code_hash bytea`.execute(db);
}
