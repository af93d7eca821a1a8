import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Money that people pay in. A row is written before the payment provider is asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table top_ups (
      id uuid primary key,
      organisation_id uuid not null references organisations on delete cascade,
      provider text not null,
      -- Millionths of a US dollar, here and below.
      amount bigint not null check (amount > 0),
      description text not null,
      return_url text not null,
      state text not null default 'starting' check (state in ('starting', 'open', 'paid', 'declined', 'expired')),
      -- The provider's, once it has answered.
      checkout_id text,
      checkout_url text,
      -- What the ledger has been told so far.
      paid bigint not null default 0,
      refunded bigint not null default 0,
      charged_back bigint not null default 0,
      method text,
      -- Grows with every change, so that what was read from the provider before another change isn't applied after it.
      version integer not null default 0,
      asked_by uuid not null references users,
      idempotency_key text not null,
      request_hash text not null,
      created_at timestamptz not null default clock_timestamp(),
      paid_at timestamptz,
      checked_at timestamptz,
      check ((checkout_id is null) = (state = 'starting')),
      unique (organisation_id, asked_by, idempotency_key)
    );
    create index top_ups_by_organisation on top_ups (organisation_id, created_at, id);
    create index top_ups_to_check on top_ups (provider, checked_at) where state in ('starting', 'open', 'paid');

    -- Reports that have been applied: a provider may send each again.
    create table payment_reports (
      top_up_id uuid not null references top_ups on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      event_id text not null,
      received_at timestamptz not null default clock_timestamp(),
      primary key (top_up_id, event_id)
    )`.execute(db);
  for (const table of ["top_ups", "payment_reports"]) await forceRowSecurity(db, table, ownOrganisation);
}
