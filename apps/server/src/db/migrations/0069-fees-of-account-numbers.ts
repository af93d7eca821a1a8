import { type Kysely, sql } from "kysely";

/** The fees of an account's numbers are counted each month, from now on (decision 114). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Row-level security is forced on the owner too, and every organisation's numbers change.
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await sql`
    drop index phone_numbers_to_renew;
    create index phone_numbers_to_renew on phone_numbers (acquired_at) where state = 'owned';
    -- What has begun isn't counted afterwards.
    update phone_numbers set paid_periods = 1
      + 12 * extract(year from age(clock_timestamp(), acquired_at))::integer
      + extract(month from age(clock_timestamp(), acquired_at))::integer
      where account_id is not null and acquired_at is not null;
    -- Its deferred trigger would keep later migrations from changing the table.
    set constraints all immediate;
    set constraints all deferred`.execute(db);
  await sql`select set_config('app.scope', '', true)`.execute(db);
}
