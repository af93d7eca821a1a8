import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference: a transfer to somebody who has left stays one to a person. Then phone_number is empty.
  await sql`alter table call_transfers add column member_id uuid`.execute(db);
}
