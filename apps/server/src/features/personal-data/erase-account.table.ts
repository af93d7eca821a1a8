import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { findKnown, type RowsOfAccount, rowsOfAccount } from "./rows-of-account.table.ts";

/** False for an account that was erased already. */
export async function lockPerson(tx: Tx, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users where id = ${userId} and disabled_at is null for update`.execute(tx);
  return rows.length > 0;
}

const erasedName = "Deleted user";

/** Needs the system scope. Returns the stored name of their picture. */
export async function erasePerson(tx: Tx, userId: string): Promise<string[]> {
  const own = rowsOfAccount(await findKnown(tx, userId));
  await blankAuditLog(tx, own);
  await sql`update calls set caller_id = ${erasedName} where ${own.calls}`.execute(tx);
  await sql`update crm_owners set user_id = null, maps_to = 'email' where ${own.crm_owners}`.execute(tx);
  await sql`delete from lead_views where ${own.lead_views} and not shared`.execute(tx);
  const { rows: avatars } = await sql<{ stored_name: string }>`
    delete from files where ${own.files} returning stored_name`.execute(tx);
  for (const table of deleted) await sql`delete from ${sql.table(table)} where ${own[table]}`.execute(tx);
  await sql`
    update users set first_name = 'Deleted', last_name = 'user', email = 'deleted-' || id || '@deleted.invalid',
      avatar = null, disabled_at = clock_timestamp()
    where ${own.users}`.execute(tx);
  return avatars.map((avatar) => avatar.stored_name);
}

/** Deleting sessions deletes their refresh tokens. Memberships end with leaveEveryOrganisation. */
const deleted = [
  "invitations",
  "passwords",
  "password_resets",
  "identities",
  "sessions",
  "crm_logins",
  "follow_up_reminders",
  "member_limits",
] as const satisfies (keyof RowsOfAccount)[];

/** Their actions stay in the log, by “Deleted user”; changes to their account stay without values. */
async function blankAuditLog(tx: Tx, own: RowsOfAccount): Promise<void> {
  await sql`
    update audit_entries set user_name = ${erasedName}, address = '', user_agent = '' where ${own.audit_entries}`.execute(
    tx,
  );
  await sql`update audit_changes set subject = '', before = null, after = null where ${own.audit_changes}`.execute(tx);
  await sql`update audit_changes set subject = '' where ${own.named_changes}`.execute(tx);
}
