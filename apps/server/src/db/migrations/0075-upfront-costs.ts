import { type Kysely, sql } from "kysely";

/** What a carrier charges once for a number is counted with its first month. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- As shown when it was ordered. Null: nothing, or not known.
    alter table phone_numbers add upfront_cost bigint check (upfront_cost >= 0)`.execute(db);
}
