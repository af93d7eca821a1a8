import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** A warning of a low balance, and top-ups by a payment method that was saved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table top_ups
      -- Its payment method is to be charged by later, automatic ones.
      add column saves_method boolean not null default false,
      -- Of an automatic one: what is charged, in the provider's words. Null: a person pays.
      add column saved_method text;
    -- Never twice at once.
    create unique index top_ups_one_automatic on top_ups (organisation_id)
      where saved_method is not null and state in ('starting', 'open');

    create table balance_settings (
      organisation_id uuid primary key references organisations on delete cascade,
      -- Millionths of a US dollar, here and below. Null: owners aren't mailed.
      low_below bigint check (low_below >= 0),
      -- The owners were mailed about this fall.
      is_low boolean not null default false,
      -- All three or none: automatic top-ups are off.
      top_up_below bigint check (top_up_below >= 0),
      top_up_amount bigint check (top_up_amount > 0),
      month_limit bigint check (month_limit > 0),
      check ((top_up_below is null) = (top_up_amount is null) and (top_up_amount is null) = (month_limit is null)),
      saved_provider text,
      saved_method text,
      -- "Visa ending in 4242".
      saved_method_name text,
      check ((saved_provider is null) = (saved_method is null)),
      -- Why automatic top-ups are paused, until somebody changes the settings.
      paused_why text,
      pause_mailed_at timestamptz
    )`.execute(db);
  await forceRowSecurity(db, "balance_settings", ownOrganisation);
}
