import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invitations add column mail_failed boolean not null default false`.execute(db);
}
