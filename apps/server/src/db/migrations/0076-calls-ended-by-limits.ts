import { type Kysely, sql } from "kysely";

/** A breach of a limit may also have ended a call that was running. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Of the breach's last call: it was ended, not refused.
    alter table limit_breaches add column ended boolean not null default false`.execute(db);
}
