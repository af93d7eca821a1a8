import { type Kysely, sql } from "kysely";

/** When an organisation last chose another time zone: its day must not begin anew for limits by the day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table organisations add column time_zone_changed_at timestamptz`.execute(db);
}
