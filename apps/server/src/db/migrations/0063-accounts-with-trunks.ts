import { type Kysely, sql } from "kysely";

/** Whether something may have been made at the vendor, which only a key of the same account can remove. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table carrier_accounts add may_have_trunk boolean not null default false;
    update carrier_accounts set may_have_trunk = true
      where connected_at is not null or vendor_account_id is not null or jsonb_array_length(steps) > 0`.execute(db);
}
