import { type Kysely, sql } from "kysely";

/** A transfer that Leadline carries out with a call of its own, which already counts as a call of the minute. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table call_transfers add column bridged boolean not null default false`.execute(db);
}
