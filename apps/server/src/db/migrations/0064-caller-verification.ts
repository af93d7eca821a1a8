import { type Kysely, sql } from "kysely";

/** What the network says about an inbound caller's number. Older calls only have whether it confirms the number. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add caller_verification text`.execute(db);
}
