import { type Kysely, sql } from "kysely";

/** A carrier's record of a call that it made to the target of a transfer belongs to the call that was transferred. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table carrier_records drop constraint carrier_records_matched_by_check,
      add constraint carrier_records_matched_by_check check (matched_by in ('call-id', 'numbers', 'transfer'))`.execute(
    db,
  );
}
