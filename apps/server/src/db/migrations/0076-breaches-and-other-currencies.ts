import { type Kysely, sql } from "kysely";

/** A breach of a limit may also have ended a running call. Costs in other currencies than the ledger’s are found fast. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Of the breach's last call: it was ended, not refused.
    alter table limit_breaches add column ended boolean not null default false;
    create index carrier_records_in_other_currencies on carrier_records (organisation_id, began_at)
      where currency <> 'USD'`.execute(db);
}
