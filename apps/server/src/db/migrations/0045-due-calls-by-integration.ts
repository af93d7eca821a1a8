import { type Kysely, sql } from "kysely";

/** Each integration's due calls are written on their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index call_activities_due_by_integration on call_activities (integration_id, due_at) where state = 'waiting';
    drop index call_activities_due`.execute(db);
}
