import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table carriers
      add column price_per_minute bigint not null default 0 check (price_per_minute between 0 and 100000000)`.execute(
    db,
  );
  // What stood there when the call began; nothing for calls that come in, and for the sandbox's.
  await sql`
    alter table calls
      add column price_per_minute_micros bigint not null default 0 check (price_per_minute_micros >= 0)`.execute(db);
}
