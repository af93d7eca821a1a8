import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference: of a carrier that is removed the call says still that it was not another one.
  await sql`alter table calls add column carrier_connection_id uuid`.execute(db);
  // Calls that are on go on through the one that would have been taken.
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await sql`
    update calls set carrier_connection_id = (
      select id from carriers
      where carriers.organisation_id = calls.organisation_id and carriers.kind = calls.carrier
      order by in_use desc, created_at, id limit 1)
    where ended_at is null`.execute(db);
  await sql`select set_config('app.scope', '', true)`.execute(db);
}
