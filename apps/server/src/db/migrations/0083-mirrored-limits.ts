import { type Kysely, sql } from "kysely";

/** A vendor that enforces the organisation's limits is told when they change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- As the vendor was told them. Null: never.
    alter table carrier_accounts add mirrored_limits jsonb;
    -- It isn't known which these were told: they are told again.
    update carrier_accounts set mirrored_limits = '{}' where state = 'connected'`.execute(db);
}
