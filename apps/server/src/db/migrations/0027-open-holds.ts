import { type Kysely, sql } from "kysely";

/** What is held now is read every few seconds; resolved holds stay for ever. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index ledger_holds_open on ledger_holds (organisation_id) where state = 'open'`.execute(db);
}
