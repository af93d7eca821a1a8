import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** How many calls a carrier bears, and the calls that wait for one of its lines. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table carriers
      add column calls_per_second double precision check (calls_per_second between 0.1 and 1000),
      add column channels integer check (channels between 1 and 100000);
    alter table calls
      add column has_line boolean not null default true,
      add column waits_for text,
      add column refusal text;

    -- Apart from the carriers, which every call reads: this is written by every call that waits its turn.
    create table trunk_lines (
      carrier_id uuid primary key references carriers on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      next_call_at timestamptz not null default '-infinity'
    )`.execute(db);
  await forceRowSecurity(db, "trunk_lines", ownOrganisation);
}
