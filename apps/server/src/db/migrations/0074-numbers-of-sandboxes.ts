import { type Kysely, sql } from "kysely";

/** A sandbox sells anyone numbers that may be a stranger's. There they have one holder, as in the telephone network. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Row-level security is forced on the owner too, and every organisation's numbers change.
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await sql`
    alter table phone_numbers add of_sandbox boolean not null default false;
    update phone_numbers set of_sandbox = true
      where (account_id is null and carrier = 'sandbox')
        or exists (select from carrier_accounts where carrier_accounts.id = account_id and is_sandbox);
    set constraints all immediate;
    set constraints all deferred;
    -- Of all organisations together: one that row-level security hides from the buyer still has it.
    drop index phone_numbers_one_holder;
    create unique index phone_numbers_one_holder on phone_numbers (number)
      where state in ('buying', 'owned', 'releasing') and not of_sandbox;
    create unique index phone_numbers_one_sandbox_holder on phone_numbers (carrier, number)
      where state in ('buying', 'owned', 'releasing') and of_sandbox`.execute(db);
  await sql`select set_config('app.scope', '', true)`.execute(db);
}
