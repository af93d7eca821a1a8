import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** Rates by prefix replace the one price of a carrier; a call keeps the rate at which it began. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Row-level security is forced on the owner too, and every organisation's rows change.
  await sql`select set_config('app.scope', 'system', true)`.execute(db);
  await sql`
    create table carrier_rates (
      id uuid primary key default gen_random_uuid(),
      organisation_id uuid not null references organisations on delete cascade,
      carrier_id uuid not null references carriers on delete cascade,
      -- The first digits of a number; empty: all numbers.
      prefix text not null check (prefix ~ '^[0-9]{0,15}$'),
      description text not null default '',
      -- On the organisation's clock.
      effective_from date not null,
      -- Millionths of a US dollar, without the margin.
      per_minute_micros bigint not null check (per_minute_micros >= 0),
      connection_fee_micros bigint not null check (connection_fee_micros >= 0),
      first_seconds integer not null check (first_seconds > 0),
      next_seconds integer not null check (next_seconds > 0),
      from_carrier boolean not null default false,
      -- When the carrier's API last said so.
      read_at timestamptz,
      unique (organisation_id, carrier_id, prefix, effective_from)
    );
    alter table carriers add column margin_percent integer not null default 0 check (margin_percent between 0 and 1000);
    insert into carrier_rates
        (organisation_id, carrier_id, prefix, effective_from, per_minute_micros, connection_fee_micros, first_seconds, next_seconds)
      select organisation_id, id, '', '2000-01-01', price_per_minute, 0, 60, 60 from carriers where price_per_minute > 0;
    alter table carriers drop column price_per_minute;

    -- An answered call of this length; costOfCall of the contract is the same formula, for screens and forecasts.
    create function cost_of_call(rate jsonb, duration_ms numeric) returns bigint
    language sql immutable
    return case when rate is null then 0 else
      (rate->>'connectionFeeMicros')::bigint + ceil((rate->>'perMinuteMicros')::numeric * (
        (rate->>'firstSeconds')::numeric
        + ceil(greatest(duration_ms - (rate->>'firstSeconds')::numeric * 1000, 0) / ((rate->>'nextSeconds')::numeric * 1000))
          * (rate->>'nextSeconds')::numeric
      ) / 60)::bigint end;

    -- With the margin, as it was when the call began; null: the call costs nothing.
    alter table calls add column rate jsonb;
    update calls set rate = jsonb_build_object(
        'perMinuteMicros', price_per_minute_micros, 'connectionFeeMicros', 0, 'firstSeconds', 60, 'nextSeconds', 60)
      where price_per_minute_micros > 0;
    alter table calls drop column price_per_minute_micros`.execute(db);
  await forceRowSecurity(db, "carrier_rates", ownOrganisation);
  await sql`select set_config('app.scope', '', true)`.execute(db);
}
