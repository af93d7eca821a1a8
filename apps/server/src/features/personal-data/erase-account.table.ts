import { teammateCarrier } from "@leadline/contract/transfers";
import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** False for an account that was erased already. */
export async function lockPerson(tx: Tx, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users where id = ${userId} and disabled_at is null for update`.execute(tx);
  return rows.length > 0;
}

interface Known {
  userId: string;
  /** Organisations that hold data of theirs. */
  organisationIds: string[];
  /** Including earlier ones that the audit log contains. */
  names: string[];
  emails: string[];
}

const erasedName = "Deleted user";

/** Needs the system scope. Returns the stored name of their picture. */
export async function erasePerson(tx: Tx, userId: string): Promise<string[]> {
  const known = await findKnown(tx, userId);
  await blankAuditLog(tx, known);
  await sql`
    update calls set caller_id = ${erasedName}
    where organisation_id = any(${known.organisationIds}::uuid[]) and carrier = ${teammateCarrier}
      and exists (select from unnest(${known.names}::text[]) as own (name) where position(name in caller_id) > 0)`.execute(
    tx,
  );
  await sql`delete from invitations where lower(email) = any(${known.emails}::text[])`.execute(tx);
  await sql`delete from lead_views where user_id = ${userId} and not shared`.execute(tx);
  await sql`update crm_owners set user_id = null, maps_to = 'email' where user_id = ${userId}`.execute(tx);
  const { rows: avatars } = await sql<{ stored_name: string }>`
    delete from files where avatar_of = ${userId} returning stored_name`.execute(tx);
  // Deleting sessions deletes their refresh tokens.
  for (const table of [
    "passwords",
    "password_resets",
    "identities",
    "sessions",
    "crm_logins",
    "follow_up_reminders",
    "member_limits",
  ])
    await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(tx);
  await sql`
    update users set first_name = 'Deleted', last_name = 'user', email = 'deleted-' || id || '@deleted.invalid',
      avatar = null, disabled_at = clock_timestamp()
    where id = ${userId}`.execute(tx);
  return avatars.map((avatar) => avatar.stored_name);
}

async function findKnown(tx: Tx, userId: string): Promise<Known> {
  const { rows } = await sql<Omit<Known, "userId">>`
    with theirs as (
      select organisation_id as id from memberships where user_id = ${userId}
      union select organisation_id from calls where user_id = ${userId}
      union select id from organisations where exists (
        select from audit_entries where organisation_id = organisations.id and user_id = ${userId})
    )
    select array(select id::text from theirs) as "organisationIds",
      array(
        select trim(first_name || ' ' || last_name) from users where id = ${userId}
        union select user_name from audit_entries
          where organisation_id = any(array(select id from theirs)) and user_id = ${userId} and user_name <> ''
      ) as names,
      array(
        select lower(email) from users where id = ${userId}
        union select lower(value) from audit_changes, unnest(array[before->>'email', after->>'email']) as value
          where organisation_id = any(array(select id from theirs)) and subject_id = ${userId}
            and kind = 'users' and value is not null
      ) as emails`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("a query without a table returned no row");
  return { userId, ...row };
}

/** Their actions stay in the log, by “Deleted user”; changes to their account stay without values. */
async function blankAuditLog(tx: Tx, { userId, organisationIds, names, emails }: Known): Promise<void> {
  await sql`
    update audit_entries set user_name = ${erasedName}, address = '', user_agent = ''
    where organisation_id = any(${organisationIds}::uuid[]) and user_id = ${userId}`.execute(tx);
  await sql`
    update audit_changes set subject = '', before = null, after = null
    where organisation_id = any(${organisationIds}::uuid[]) and (
      (kind in ('users', 'passwords') and subject_id = ${userId})
      or (kind = 'invitations' and lower(coalesce(after->>'email', before->>'email')) = any(${emails}::text[])))`.execute(
    tx,
  );
  // Tables without a name of their own are listed under the name of their person.
  await sql`
    update audit_changes set subject = ''
    where organisation_id = any(${organisationIds}::uuid[]) and subject = any(${names}::text[])
      and (subject_id = ${userId} or coalesce(after->>'user_id', before->>'user_id') = ${userId})`.execute(tx);
}
