import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add column caller_verified boolean, add column forwarded_by text`.execute(db);
}
