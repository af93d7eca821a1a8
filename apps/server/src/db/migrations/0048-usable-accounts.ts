import { type Kysely, sql } from "kysely";

/** An account that was connected once stays in use while it is connected again, with the key that worked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await sql`alter table carrier_accounts add connected_at timestamptz`.execute(db);
  await sql`
    update carrier_accounts set connected_at = created_at
    where state = 'connected' or carrier_id in (select id from carriers)`.execute(db);
  await sql`
    -- The key that is being tried, or was tried last. Null: the one in use.
    alter table carrier_account_secrets add next_sealed text`.execute(db);
  await sql`select set_config('app.scope', '', true)`.execute(db);
}
