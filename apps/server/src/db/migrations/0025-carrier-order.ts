import { type Kysely, sql } from "kysely";

/** Of an organisation's carriers in use: calls go to the lowest rank, and from each to the next where it fails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index carriers_one_in_use;
    alter table carriers add column rank integer not null default 0`.execute(db);
}
