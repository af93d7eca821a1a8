import { type Kysely, sql } from "kysely";

/** Syncs that start by themselves are told from those that somebody asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sync_runs add column scheduled boolean not null default false`.execute(db);
}
