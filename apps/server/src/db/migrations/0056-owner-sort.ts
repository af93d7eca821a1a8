import { type Kysely, sql } from "kysely";

/** The leads list sorts by owner, too. The index of owners now covers every lead, so it replaces the former one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table leads
      -- The member, or the owner's name in the CRM. Empty without an owner.
      add column owner_group text not null
        generated always as (coalesce(owner_id::text, lower(left(owner_name, 80)))) stored;
    drop index leads_by_owner;
    create index leads_by_owner on leads (organisation_id, owner_group, position)`.execute(db);
}
