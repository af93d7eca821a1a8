import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference: a call that rang for somebody who has left stays one to a person.
  await sql`alter table calls add column rings_for uuid`.execute(db);
}
