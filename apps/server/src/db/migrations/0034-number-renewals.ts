import { type Kysely, sql } from "kysely";

/** Numbers bought here are paid by the month in a prepaid organisation (decision 101). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Row-level security is forced on the owner too, and every organisation's numbers change.
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await sql`
    alter table phone_numbers
      -- Months since it was acquired that are paid, or were free; the next one begins as many months after that day.
      add column paid_periods integer not null default 0,
      -- The balance didn't cover its renewal.
      add column unpaid_since timestamptz,
      -- Of which period its owners were last notified in advance.
      add column noticed_period integer;
    create index phone_numbers_to_renew on phone_numbers (acquired_at) where state = 'owned' and account_id is null;
    -- What has begun isn't charged afterwards.
    update phone_numbers set paid_periods = 1
      + 12 * extract(year from age(clock_timestamp(), acquired_at))::integer
      + extract(month from age(clock_timestamp(), acquired_at))::integer
      where acquired_at is not null;
    -- Its deferred trigger would keep later migrations from changing the table.
    set constraints all immediate;
    set constraints all deferred`.execute(db);
  await sql`select set_config('app.scope', '', true)`.execute(db);
}
