import { type Kysely, sql } from "kysely";

/** A sync that first reads the records again that another one has left out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference: the other run may be deleted, with its records.
  await sql`alter table sync_runs add column retries_run uuid`.execute(db);
}
