import { type Kysely, sql } from "kysely";
import { forceRowSecurity } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table processes (process_key integer primary key, seen_at timestamptz not null)`.execute(db);
  await forceRowSecurity(db, "processes", "false");
  // A call that a process has resumed isn't seen by it before its far end has answered.
  await sql`alter table calls add column resumed_unseen boolean not null default false`.execute(db);
}
