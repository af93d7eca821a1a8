import { type Kysely, sql } from "kysely";
import { forceRowSecurity } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  // Unlogged: each process writes its row anew once the database has restarted.
  await sql`
    create unlogged table people_at_processes (
      process_key integer primary key,
      present jsonb not null,
      in_call jsonb not null
    )`.execute(db);
  await forceRowSecurity(db, "people_at_processes", "false");
}
