import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownOrganisation } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  // Each one that was asked for, whatever became of it: the limits count it as they count a call.
  await sql`
    create table call_transfers (
      id bigint generated always as identity primary key,
      organisation_id uuid not null references organisations on delete cascade,
      call_sid text not null references calls (call_sid) on delete cascade,
      phone_number text not null,
      phone_number_typed text not null,
      status text not null default 'asked' check (status in ('asked', 'ringing', 'taken', 'refused', 'unknown')),
      refusal text check ((refusal is not null) = (status = 'refused')),
      sip integer,
      asked_at timestamptz not null default clock_timestamp()
    )`.execute(db);
  await sql`create index call_transfers_of_call on call_transfers (call_sid, id desc)`.execute(db);
  await sql`create index call_transfers_by_time on call_transfers (organisation_id, asked_at)`.execute(db);
  // A far end is sent to one place at a time.
  await sql`
    create unique index call_transfers_one_under_way on call_transfers (call_sid)
      where status in ('asked', 'ringing')`.execute(db);
  await forceRowSecurity(db, "call_transfers", ownOrganisation);
}
