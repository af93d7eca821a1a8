import { type Kysely, sql } from "kysely";

/** Which of its numbers an organisation's calls show: by member, and by the callee's area code. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table memberships add column caller_id text;
    alter table organisations add column local_presence boolean not null default false`.execute(db);
}
