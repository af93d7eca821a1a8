import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: given before this was kept, under the key that is in use at the next start.
  await sql`alter table refresh_tokens add column key_id text`.execute(db);
}
