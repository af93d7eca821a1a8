import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Changes that CRMs reported by webhook: which are to be applied, and which have been. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table crm_changes (
      integration_id uuid not null references integrations on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      event_id text not null,
      lead_external_id text not null,
      received_at timestamptz not null default clock_timestamp(),
      applied_at timestamptz,
      primary key (integration_id, event_id)
    );
    create index crm_changes_waiting on crm_changes (integration_id, received_at) where applied_at is null;
    create index crm_changes_by_organisation on crm_changes (organisation_id)`.execute(db);
  await forceRowSecurity(db, "crm_changes", ownOrganisation);
}
