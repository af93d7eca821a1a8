import { type Kysely, sql } from "kysely";

/** When people may be called, on their own clocks, and why somebody was called at another time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table organisations add column calling_hours jsonb not null default '[]';
    alter table calls add column hours_override text`.execute(db);
}
