import { type Kysely, sql } from "kysely";
import { forceRowSecurity } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  // Unlogged: nobody waits for a command any more once the database has restarted.
  await sql`
    create unlogged table process_commands (
      id uuid primary key,
      process_key integer not null,
      asked_by integer not null,
      command text not null,
      answer text,
      created_at timestamptz not null default clock_timestamp(),
      taken_at timestamptz
    )`.execute(db);
  await forceRowSecurity(db, "process_commands", "false");
}
