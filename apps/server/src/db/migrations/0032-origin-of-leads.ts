import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // Of a lead that hangs on no integration any more: whose record of which CRM account it was.
  await sql`
    alter table leads
      add column former_account text,
      add column former_external_id text,
      add check ((former_account is null) = (former_external_id is null))`.execute(db);
  await sql`
    create index leads_by_former_origin on leads (organisation_id, former_account, former_external_id)
    where former_account is not null`.execute(db);
  await sql`alter table sync_runs add column kept_count integer not null default 0`.execute(db);
}
