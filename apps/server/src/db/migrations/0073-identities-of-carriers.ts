import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: kept before there were any; looked up where it is compared.
  await sql`alter table carriers add column identity jsonb`.execute(db);
}
