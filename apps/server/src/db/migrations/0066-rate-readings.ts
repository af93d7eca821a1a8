import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** A rate that was read for one number may be another's in the same country, or in one with the same first digits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table carrier_rate_readings (
      organisation_id uuid not null references organisations on delete cascade,
      carrier_id uuid not null references carriers on delete cascade,
      -- A country (ISO 3166-1), or a number's first digits.
      area text not null,
      read_at timestamptz not null default clock_timestamp(),
      primary key (carrier_id, area)
    )`.execute(db);
  await forceRowSecurity(db, "carrier_rate_readings", ownOrganisation);
}
