import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table call_outcomes
      add column call_back boolean not null default false,
      add constraint call_back_or_do_not_call check (not (call_back and do_not_call))`.execute(db);
  // What the outcome of this name said so far without effect.
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await sql`update call_outcomes set call_back = true where lower(name) = 'call back' and not do_not_call`.execute(db);
  await sql`select set_config('app.scope', '', true)`.execute(db);
}
