import { type Kysely, sql } from "kysely";

/** What a carrier's record costs the organisation depends on the margin that applied to the call. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // In percent. Null for calls that are older than this column.
  await sql`alter table calls add margin_percent integer`.execute(db);
}
