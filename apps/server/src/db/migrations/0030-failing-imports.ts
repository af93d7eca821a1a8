import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table lead_imports
      add column failures integer not null default 0,
      add column retry_at timestamptz,
      add column touched_at timestamptz not null default clock_timestamp()`.execute(db);
  await sql`create index lead_imports_running on lead_imports (touched_at) where state = 'running'`.execute(db);
}
