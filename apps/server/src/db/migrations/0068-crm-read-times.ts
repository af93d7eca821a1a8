import { type Kysely, sql } from "kysely";

/** A page that was read at a CRM before a lead was read there on its own must not replace the lead's newer values. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // When the lead was last read by its id. Null if it never was: a page doesn't set it.
  await sql`alter table leads add crm_read_at timestamptz`.execute(db);
}
