import { type Kysely, sql } from "kysely";

/** Numbers of no area, and those whose callers pay a part, have requirements of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table phone_numbers
      drop constraint phone_numbers_number_type_check,
      add constraint phone_numbers_number_type_check
        check (number_type in ('local', 'mobile', 'toll-free', 'national', 'shared-cost'))`.execute(db);
}
