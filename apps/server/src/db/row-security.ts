import { type Kysely, sql } from "kysely";
import { appRole } from "./app-role.ts";

/** SQL for the scope that withTransaction set; a setting that was never set, or has ended, is null. */
export const currentOrganisation = "nullif(current_setting('app.organisation_id', true), '')::uuid";
export const currentUser = "nullif(current_setting('app.user_id', true), '')::uuid";
const isSystem = "(select coalesce(current_setting('app.scope', true), '') = 'system')";

const either = (predicate: string) => sql.raw(`(${isSystem} or (${predicate}))`);

/** The usual policy for a table with an organisation_id column. */
export const ownOrganisation = `organisation_id = (select ${currentOrganisation})`;
export const ownUser = `user_id = (select ${currentUser})`;

/**
 * Forces row-level security (on the owner too) and grants the app's role access. `read` and `write` are SQL predicates
 * over the table's columns; the system scope passes both, and what may be written may be read. Queries still filter by
 * organisation: the index needs it, and the policy is a second safeguard.
 */
export async function forceRowSecurity<T>(
  db: Kysely<T>,
  table: string,
  read: string,
  write: string = read,
): Promise<void> {
  const name = sql.table(table);
  await sql`alter table ${name} enable row level security`.execute(db);
  await sql`alter table ${name} force row level security`.execute(db);
  await sql`create policy scope_write on ${name} using ${either(write)} with check ${either(write)}`.execute(db);
  if (read !== write) await sql`create policy scope_read on ${name} for select using ${either(read)}`.execute(db);
  await sql`grant select, insert, update, delete on ${name} to ${sql.id(appRole)}`.execute(db);
}
