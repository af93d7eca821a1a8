import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

/** What carriers bill for calls: their names of each leg, their records, and what each call cost there (decision 100). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A call that several carriers tried has a leg at each.
    create table carrier_legs (
      organisation_id uuid not null references organisations on delete cascade,
      connection_id uuid not null,
      -- As the carrier's SIP headers name the call.
      carrier_call_id text not null,
      call_sid text not null references calls (call_sid) on delete cascade,
      primary key (organisation_id, connection_id, carrier_call_id)
    );
    create index carrier_legs_of_call on carrier_legs (call_sid);

    create table carrier_record_cursors (
      account_id uuid primary key references carrier_accounts on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      connection_id uuid not null,
      -- Calls from then on have a record.
      began_at timestamptz not null,
      -- Records of calls that began before then were read once; those of the days before it were read again then.
      read_to timestamptz not null,
      reconciled_at timestamptz,
      -- Why the last reading failed, in a sentence.
      failure text
    );
    create index carrier_record_cursors_by_organisation on carrier_record_cursors (organisation_id);

    create table carrier_records (
      organisation_id uuid not null references organisations on delete cascade,
      connection_id uuid not null,
      -- The carrier's own: the same record again has the same.
      record_id text not null,
      carrier_call_id text,
      from_number text not null,
      to_number text not null,
      began_at timestamptz not null,
      seconds integer not null,
      -- Millionths; null until the carrier has priced it.
      cost bigint,
      currency text,
      -- No reference: the record outlives the call.
      call_sid text,
      matched_by text check (matched_by in ('call-id', 'numbers')),
      check ((call_sid is null) = (matched_by is null)),
      primary key (organisation_id, connection_id, record_id)
    );
    create index carrier_records_by_time on carrier_records (connection_id, began_at);
    create index carrier_records_of_call on carrier_records (call_sid) where call_sid is not null;
    create unique index carrier_records_one_by_numbers on carrier_records (organisation_id, call_sid)
      where matched_by = 'numbers';
    create index carrier_records_unmatched on carrier_records (organisation_id, began_at) where call_sid is null;

    -- Of a call whose records are all priced.
    create table call_costs (
      call_sid text primary key references calls (call_sid) on delete cascade,
      organisation_id uuid not null references organisations on delete cascade,
      -- What the carriers' records say, in their currency; and the same with the margin, null in any currency but US dollars.
      cost bigint not null,
      currency text not null,
      price_micros bigint,
      -- What had been charged by the rate.
      counted_micros bigint not null,
      -- How many entries of the ledger have corrected it.
      corrections integer not null default 0
    );
    create index call_costs_that_differ on call_costs (organisation_id)
      where price_micros is distinct from counted_micros;
    create index calls_by_connection on calls (carrier_connection_id, created_at)
      where carrier_connection_id is not null`.execute(db);
  for (const table of ["carrier_legs", "carrier_record_cursors", "carrier_records", "call_costs"])
    await forceRowSecurity(db, table, ownOrganisation);
}
