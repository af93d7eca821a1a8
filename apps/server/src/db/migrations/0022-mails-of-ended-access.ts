import { type Kysely, sql } from "kysely";

/** Whether the owners have been mailed that a CRM has to be connected again; null while nothing is wrong. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table integrations add column problem_mailed_at timestamptz;
    select set_config('app.scope', 'system', true);
    -- Those that ended before this version are old news.
    update integrations set problem_mailed_at = clock_timestamp() where problem is not null;
    select set_config('app.scope', '', true)`.execute(db);
}
