import { type Kysely, sql } from "kysely";

/** A lead that was deleted here isn't imported again while its integration exists (decision 106). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Null: the person was erased, for good.
    alter table erased_crm_records add column integration_id uuid references integrations on delete cascade;
    create index erased_crm_records_by_integration on erased_crm_records (integration_id)
      where integration_id is not null`.execute(db);
}
