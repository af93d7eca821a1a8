import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table organisations add column deleted_at timestamptz`.execute(db);
  await sql`create index organisations_that_go on organisations (id) where deleted_at is not null`.execute(db);
}
