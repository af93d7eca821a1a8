import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Accounts at vendors whose trunks are connected by API key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table carrier_accounts (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      vendor text not null,
      label text not null,
      state text not null check (state in ('connecting', 'connected', 'failed', 'disconnecting')),
      steps jsonb not null default '[]',
      failure text,
      -- The carrier that it becomes; chosen with the row, so that a second run makes no second one.
      carrier_id uuid not null,
      local_port integer not null,
      is_sandbox boolean not null,
      balance jsonb,
      restriction text,
      created_at timestamptz not null default clock_timestamp()
    )`.execute(db);
  await sql`create index carrier_accounts_by_organisation on carrier_accounts (organisation_id, created_at)`.execute(
    db,
  );
  await sql`
    -- Apart from the accounts, so that no list of them can carry a secret.
    create table carrier_account_secrets (
      account_id uuid primary key references carrier_accounts on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      sealed text not null
    )`.execute(db);
  for (const table of ["carrier_accounts", "carrier_account_secrets"])
    await forceRowSecurity(db, table, ownOrganisation);
}
