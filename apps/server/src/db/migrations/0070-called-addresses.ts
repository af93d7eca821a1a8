import { type Kysely, sql } from "kysely";

/** A vendor that calls this server's address goes on calling the one that it was told, also when the server has another. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Row-level security is forced on the owner too, and every organisation's accounts change.
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await sql`
    -- Null if its vendor was told none: inbound calls use a registration, or don't arrive.
    alter table carrier_accounts add called_address text;
    update carrier_accounts account set called_address = carrier.settings ->> 'publicAddress'
      from carriers carrier
      where carrier.id = account.carrier_id and carrier.organisation_id = account.organisation_id
        and account.connected_at is not null and carrier.settings ->> 'authentication' is distinct from 'register';
    set constraints all immediate;
    set constraints all deferred`.execute(db);
  await sql`select set_config('app.scope', '', true)`.execute(db);
}
