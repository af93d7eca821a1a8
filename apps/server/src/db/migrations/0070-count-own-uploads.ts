import { type Kysely, sql } from "kysely";
import { currentUser } from "../row-security.ts";

/** What a person has uploaded is counted across organisations; it is seen elsewhere by that count alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index files_of_person on files (user_id)`.execute(db);
  await sql`create policy own_uploads on files for select using (
    (select coalesce(current_setting('app.counts_own_uploads', true), '') = 'on') and user_id = (select ${sql.raw(currentUser)}))`.execute(
    db,
  );
}
