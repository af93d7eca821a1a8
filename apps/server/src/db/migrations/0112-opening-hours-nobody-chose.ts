import { type Kysely, sql } from "kysely";

/** What 0089 meant to do: without a scope, row-level security hid every organisation from it. Later ones chose their hours. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday"];
  const formerDefault = JSON.stringify(days.map((day) => ({ day, opensAt: "09:00", closesAt: "17:00" })));
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await sql`
    update organisations set opening_hours = '[]'
    where opening_hours = ${formerDefault}::jsonb and created_at < (
      select timestamp::timestamptz from leadline_migrations.kysely_migration
      where name = '0089-opening-hours-to-be-chosen')`.execute(db);
  await sql`select set_config('app.scope', '', true)`.execute(db);
}
