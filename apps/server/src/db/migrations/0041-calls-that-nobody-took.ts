import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table calls alter column user_id drop not null,
      add constraint calls_of_somebody check (user_id is not null or direction = 'inbound')`.execute(db);
}
