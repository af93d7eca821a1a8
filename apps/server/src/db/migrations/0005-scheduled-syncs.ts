import { type Kysely, sql } from "kysely";

/** Distinguishes scheduled syncs from those that a person started. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sync_runs add column scheduled boolean not null default false`.execute(db);
}
