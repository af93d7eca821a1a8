import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add column held_by_them boolean not null default false`.execute(db);
}
