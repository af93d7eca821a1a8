import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Leads that share a number or an email: merged into one, or kept separate. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Leads that share an email are found in its order.
    create index leads_by_email on leads (organisation_id, lower(email)) where email <> '';

    create table lead_separations (
      organisation_id uuid not null references organisations on delete cascade,
      kind text not null check (kind in ('phone', 'email')),
      value text not null,
      -- Another lead that shares it makes it a conflict again.
      lead_ids uuid[] not null,
      primary key (organisation_id, kind, value)
    );

    -- The leads that were merged into another stay, hidden: leads.removal_id is the merge's id.
    create table lead_merges (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      user_id uuid not null references users on delete cascade,
      kept_id uuid not null references leads on delete cascade,
      merged integer not null,
      -- What was moved and filled in, for undoing it.
      moved jsonb not null,
      filled jsonb not null,
      created_at timestamptz not null default clock_timestamp()
    );
    create index lead_merges_newest_first on lead_merges (organisation_id, created_at desc);
    create index lead_merges_by_lead on lead_merges (kept_id)`.execute(db);
  for (const table of ["lead_separations", "lead_merges"]) await forceRowSecurity(db, table, ownOrganisation);
}
