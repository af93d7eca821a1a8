import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Receipts of top-ups, and whom they are made out to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table billing_details (
      organisation_id uuid primary key references organisations on delete cascade,
      name text not null,
      address text not null,
      tax_number text not null
    );

    -- As issued: what changes afterwards is on the next one.
    create table receipts (
      top_up_id uuid primary key references top_ups on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      -- Counts the organisation's, without gaps.
      number integer not null check (number > 0),
      issued_at timestamptz not null default clock_timestamp(),
      -- One or more lines each.
      seller text not null,
      buyer text not null,
      description text not null,
      -- Millionths of a US dollar, with the tax that it includes.
      amount bigint not null check (amount > 0),
      tax bigint not null check (tax >= 0),
      -- "VAT 19%"; null without tax.
      tax_name text,
      method text,
      -- No money moved.
      is_sandbox boolean not null,
      check (tax = 0 or tax_name is not null),
      unique (organisation_id, number)
    )`.execute(db);
  for (const table of ["billing_details", "receipts"]) await forceRowSecurity(db, table, ownOrganisation);
}
