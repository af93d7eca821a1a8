import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table organisation_limits add column call_minutes integer check (call_minutes > 0)`.execute(db);
  await sql`alter table calls add column cut_off_at timestamptz, add column cut_off_reason text`.execute(db);
}
