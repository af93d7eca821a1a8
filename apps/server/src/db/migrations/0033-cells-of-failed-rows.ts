import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null of rows that failed before this was kept.
  await sql`alter table lead_import_errors add column cells json`.execute(db);
  await sql`create index lead_imports_latest on lead_imports (organisation_id, created_at desc)`.execute(db);
}
