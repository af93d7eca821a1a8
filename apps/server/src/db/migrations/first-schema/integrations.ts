import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../../row-security.ts";

/** CRMs that an organisation has connected, and each reading of one. */
export async function createIntegrations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table integrations (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      label text not null,
      service text not null,
      workspace_domain text,
      status text not null default 'inactive' check (status in ('inactive', 'active')),
      problem text,
      account_id text,
      sync_cursor text,
      created_at timestamptz not null default clock_timestamp()
    );
    create index integrations_by_organisation on integrations (organisation_id, created_at);

    -- Apart from integrations, so that no list of them can carry a secret.
    create table crm_grants (
      integration_id uuid primary key references integrations on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      sealed_grant text not null,
      generation integer not null default 1,
      changed_at timestamptz not null default clock_timestamp()
    );

    create table crm_logins (
      state_hash bytea primary key,
      organisation_id uuid not null references organisations on delete cascade,
      integration_id uuid not null references integrations on delete cascade,
      user_id uuid not null references users on delete cascade,
      sealed_verifier text not null,
      callback_url text not null,
      expires_at timestamptz not null,
      used_code_hash bytea
    );
    create index crm_logins_by_age on crm_logins (expires_at);

    create table sync_runs (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      integration_id uuid not null references integrations on delete cascade,
      status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
      total integer,
      read_count integer not null default 0,
      created_count integer not null default 0,
      updated_count integer not null default 0,
      deleted_count integer not null default 0,
      kept_count integer not null default 0,
      failed_count integer not null default 0,
      problem text,
      pages integer not null default 0,
      failures integer not null default 0,
      retry_at timestamptz,
      created_at timestamptz not null default clock_timestamp(),
      touched_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz,
      check ((ended_at is null) = (status in ('queued', 'running')))
    );
    create index sync_runs_newest_first on sync_runs (integration_id, created_at desc);
    create unique index sync_runs_one_live on sync_runs (integration_id) where ended_at is null`.execute(db);
  for (const table of ["integrations", "crm_grants", "crm_logins", "sync_runs"])
    await forceRowSecurity(db, table, ownOrganisation);
}
