import { teammateCarrier } from "@leadline/contract/transfers";
import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** Everything by which a person with an account is known. */
export interface Known {
  userId: string;
  /** Organisations that hold data of theirs. */
  organisationIds: string[];
  /** Including earlier ones that the audit log contains. */
  names: string[];
  emails: string[];
}

/** Needs the system scope. */
export async function findKnown(tx: Tx, userId: string): Promise<Known> {
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

/**
 * The rows of each table that are the person's own, as a condition. The export contains them, and the erasure deletes or
 * blanks them. What they did for an organisation, such as calls and notes, is the organisation's.
 */
export function rowsOfAccount({ userId, organisationIds, names, emails }: Known) {
  const isOwn = sql`user_id = ${userId}`;
  const inTheirs = sql`organisation_id = any(${organisationIds}::uuid[])`;
  const isOfAccount = sql`(
    (kind in ('users', 'passwords') and subject_id = ${userId})
    or (kind = 'invitations' and lower(coalesce(after->>'email', before->>'email')) = any(${emails}::text[])))`;
  return {
    users: sql`id = ${userId}`,
    passwords: isOwn,
    password_resets: isOwn,
    identities: isOwn,
    sessions: isOwn,
    memberships: isOwn,
    invitations: sql`lower(email) = any(${emails}::text[])`,
    /** Their picture. */
    files: sql`avatar_of = ${userId}`,
    /** The erasure leaves shared ones to the organisation. */
    lead_views: isOwn,
    crm_logins: isOwn,
    crm_owners: isOwn,
    follow_up_reminders: isOwn,
    member_limits: isOwn,
    audit_entries: sql`${inTheirs} and ${isOwn}`,
    /** Changes of their account. */
    audit_changes: sql`${inTheirs} and ${isOfAccount}`,
    /** Other changes that are listed under their name, in tables that have no name of their own. */
    named_changes: sql`${inTheirs} and subject = any(${names}::text[]) and ${isOfAccount} is not true
      and (subject_id = ${userId} or coalesce(after->>'user_id', before->>'user_id') = ${userId})`,
    /** Of teammates, to whom their name was shown. */
    calls: sql`${inTheirs} and carrier = ${teammateCarrier}
      and exists (select from unnest(${names}::text[]) as own (name) where position(name in caller_id) > 0)`,
  };
}

export type RowsOfAccount = ReturnType<typeof rowsOfAccount>;
