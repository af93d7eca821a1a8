import { type Kysely, sql } from "kysely";

/** What the withdrawn 0034-windows-of-leads left in the databases that have run it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop function if exists leadline_search.windows(uuid, text)`.execute(db);
}
