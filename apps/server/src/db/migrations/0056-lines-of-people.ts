import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // A person has two lines: the second only beside a call on the first. A call that goes on without them is on neither.
  await sql`
    alter table calls
      add column line smallint default 1 check (line in (1, 2)),
      add column joined_with text references calls (call_sid) on delete set null,
      add column silenced boolean not null default false`.execute(db);
  await sql`create index calls_joined_with on calls (joined_with) where joined_with is not null`.execute(db);
  // It also finds the live calls of all.
  await sql`create unique index calls_one_live_a_line on calls (user_id, line) where ended_at is null`.execute(db);
  await sql`drop index calls_one_live_a_person`.execute(db);
  // One that was asked first was called by a call of its own.
  await sql`alter table call_transfers add column attended boolean not null default false`.execute(db);
}
