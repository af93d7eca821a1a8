import { type Kysely, sql } from "kysely";

/** The organisation's number that the callee of an outbound call sees. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add column shown_number text`.execute(db);
}
