import { type Kysely, sql } from "kysely";

/** What a carrier charges once for a number is counted with its first month. Its requirements are those of its type. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table phone_numbers
      -- As shown when it was ordered. Null: nothing, or not known.
      add upfront_cost bigint check (upfront_cost >= 0),
      -- As its vendor lists it. Null: it wasn't asked.
      add number_type text check (number_type in ('local', 'mobile', 'toll-free'))`.execute(db);
}
