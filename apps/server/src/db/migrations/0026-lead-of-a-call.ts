import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add column lead_id uuid references leads on delete set null`.execute(db);
  // Past calls stay with whom they are shown with now, whoever else gets the number later.
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await sql`
    update calls set lead_id = only_one.lead_id
    from (
      select organisation_id, phone_number, (array_agg(id))[1] as lead_id from leads
      where phone_number is not null group by organisation_id, phone_number having count(*) = 1
    ) as only_one
    where only_one.organisation_id = calls.organisation_id and only_one.phone_number = calls.phone_number`.execute(db);
  await sql`select set_config('app.scope', '', true)`.execute(db);
  await sql`create index calls_by_lead on calls (lead_id, id desc) where lead_id is not null`.execute(db);
}
