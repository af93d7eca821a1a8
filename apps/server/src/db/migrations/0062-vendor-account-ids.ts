import { type Kysely, sql } from "kysely";

/** A key of another account of the vendor would strand the trunk and the numbers in the first one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null until it is read, and for vendors whose API doesn't name it.
  await sql`alter table carrier_accounts add vendor_account_id text`.execute(db);
}
