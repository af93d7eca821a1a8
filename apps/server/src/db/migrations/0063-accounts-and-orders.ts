import { type Kysely, sql } from "kysely";

/** What is known about a vendor's account and the orders there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Something may have been made at the vendor, which only a key of the same account can remove.
    alter table carrier_accounts add may_have_trunk boolean not null default false;
    update carrier_accounts set may_have_trunk = true
      where connected_at is not null or vendor_account_id is not null or jsonb_array_length(steps) > 0;
    -- Unfinished orders take turns by it.
    alter table phone_numbers add asked_at timestamptz;
    -- The vendor's list says so, until it says otherwise. The note about it can be dismissed.
    alter table phone_numbers add rings_elsewhere boolean not null default false;
    update phone_numbers set rings_elsewhere = true
      where state = 'owned' and note like '%doesn’t ring here any more%'`.execute(db);
}
