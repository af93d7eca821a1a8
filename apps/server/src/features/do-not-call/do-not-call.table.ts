import type { DoNotCallEntry } from "@leadline/contract/do-not-call";
import { type Generated, type GeneratedAlways, sql } from "kysely";
import { personName } from "../../db/person-name.ts";
import type { Tx } from "../../db/transaction.ts";

export interface DoNotCallTable {
  organisation_id: string;
  /** E.164. */
  phone_number: string;
  position: GeneratedAlways<number>;
  user_id: string;
  /** The call whose outcome added it. Null if it was added by hand. */
  call_sid: string | null;
  created_at: Generated<string>;
}

interface NumberKey {
  organisationId: string;
  phoneNumber: string;
}

const leadsOfNumber = sql<DoNotCallEntry["leads"] | null>`(
  select json_agg(json_build_object('id', id, 'firstName', first_name, 'lastName', last_name) order by position desc)
  from (
    select id, first_name, last_name, position from leads
    where leads.organisation_id = do_not_call.organisation_id and leads.phone_number = do_not_call.phone_number
    order by position desc limit 5
  ) as own)`;

const selectEntries = (tx: Tx, organisationId: string) =>
  tx
    .selectFrom("do_not_call")
    .leftJoin("users", "users.id", "do_not_call.user_id")
    .select([
      "do_not_call.phone_number",
      "do_not_call.position",
      "do_not_call.user_id",
      "do_not_call.created_at",
      "users.first_name",
      "users.last_name",
      leadsOfNumber.as("leads"),
    ])
    .where("do_not_call.organisation_id", "=", organisationId);

type EntryRow = Awaited<ReturnType<ReturnType<typeof selectEntries>["executeTakeFirstOrThrow"]>>;

const toEntry = (row: EntryRow): DoNotCallEntry => ({
  phoneNumber: row.phone_number,
  createdAt: row.created_at,
  userId: row.user_id,
  userName: personName(row),
  leads: row.leads ?? [],
});

/** Newest first, with the position after which the next page starts. */
export async function selectDoNotCall(
  tx: Tx,
  page: { organisationId: string; digits: string | null; limit: number; before: number | undefined },
): Promise<{ entries: DoNotCallEntry[]; last: number | null }> {
  let query = selectEntries(tx, page.organisationId);
  if (page.digits !== null) query = query.where("do_not_call.phone_number", "like", `%${page.digits}%`);
  if (page.before !== undefined) query = query.where("do_not_call.position", "<", page.before);
  const rows = await query.orderBy("do_not_call.position", "desc").limit(page.limit).execute();
  return { entries: rows.map(toEntry), last: rows.at(-1)?.position ?? null };
}

export async function findDoNotCall(tx: Tx, key: NumberKey): Promise<DoNotCallEntry | null> {
  const row = await selectEntries(tx, key.organisationId)
    .where("do_not_call.phone_number", "=", key.phoneNumber)
    .executeTakeFirst();
  return row ? toEntry(row) : null;
}

/** Locks the number's entry until the transaction ends. */
export async function lockDoNotCall(tx: Tx, { organisationId, phoneNumber }: NumberKey): Promise<void> {
  const name = `do-not-call:${organisationId}:${phoneNumber}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

const standsByMember = sql<boolean>`not exists (
  select from memberships
  where memberships.organisation_id = do_not_call.organisation_id and memberships.user_id = do_not_call.user_id
    and memberships.role in ('admin', 'owner'))`;

/**
 * Keeps an existing entry. Adding it by hand (without a call) removes its dependence on a call, and makes the caller
 * its adder, unless that would let a member remove what an admin added.
 */
export async function putDoNotCall(
  tx: Tx,
  entry: NumberKey & { userId: string; isAdmin: boolean; callSid: string | null },
): Promise<void> {
  const { organisationId, phoneNumber, userId, isAdmin, callSid } = entry;
  const byHand = callSid === null;
  await sql`
    insert into do_not_call (organisation_id, phone_number, user_id, call_sid)
    values (${organisationId}, ${phoneNumber}, ${userId}, ${callSid})
    on conflict (organisation_id, phone_number) do update set
      call_sid = case when ${byHand}::boolean then null else do_not_call.call_sid end,
      user_id = case
        when ${isAdmin}::boolean and ${standsByMember} then excluded.user_id
        when ${byHand}::boolean and do_not_call.call_sid is not null and (${isAdmin}::boolean or ${standsByMember})
          then excluded.user_id
        else do_not_call.user_id
      end`.execute(tx);
}

export async function deleteDoNotCall(tx: Tx, key: NumberKey): Promise<void> {
  await tx
    .deleteFrom("do_not_call")
    .where("organisation_id", "=", key.organisationId)
    .where("phone_number", "=", key.phoneNumber)
    .execute();
}

/** Who added the entry that depends on this call's outcome. Null if none does. */
export async function findAdderByCall(
  tx: Tx,
  key: { organisationId: string; callSid: string },
): Promise<{ userId: string } | null> {
  const row = await tx
    .selectFrom("do_not_call")
    .select("user_id")
    .where("organisation_id", "=", key.organisationId)
    .where("call_sid", "=", key.callSid)
    .executeTakeFirst();
  return row ? { userId: row.user_id } : null;
}

/** Makes the entry depend on another call of the number with such an outcome. False if there is none. */
export async function hangOnAnotherCall(tx: Tx, key: { organisationId: string; callSid: string }): Promise<boolean> {
  const { rows } = await sql`
    update do_not_call set call_sid = other.call_sid,
      user_id = case when ${standsByMember} then other.user_id else do_not_call.user_id end
    from (
      select calls.call_sid, calls.user_id, calls.phone_number
      from calls join call_outcomes on call_outcomes.id = calls.outcome_id and call_outcomes.do_not_call
      where calls.organisation_id = ${key.organisationId} and calls.call_sid <> ${key.callSid} and calls.phone_number = (
        select phone_number from do_not_call
        where organisation_id = ${key.organisationId} and call_sid = ${key.callSid})
      order by calls.id desc limit 1
    ) as other
    where do_not_call.organisation_id = ${key.organisationId} and do_not_call.call_sid = ${key.callSid}
      and do_not_call.phone_number = other.phone_number
    returning do_not_call.call_sid`.execute(tx);
  return rows.length > 0;
}

/** Makes the entry independent of its call, as if added by hand. */
export async function releaseFromCall(tx: Tx, key: { organisationId: string; callSid: string }): Promise<void> {
  await tx
    .updateTable("do_not_call")
    .set({ call_sid: null })
    .where("organisation_id", "=", key.organisationId)
    .where("call_sid", "=", key.callSid)
    .execute();
}

/** In the order of the numbers, to avoid deadlocks. Returns how many are new. */
export async function putManyDoNotCall(
  tx: Tx,
  { organisationId, userId, phoneNumbers }: { organisationId: string; userId: string; phoneNumbers: readonly string[] },
): Promise<number> {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into do_not_call (organisation_id, phone_number, user_id)
    select ${organisationId}::uuid, phone_number, ${userId}::uuid
    from unnest(${phoneNumbers.toSorted()}::text[]) as given (phone_number)
    on conflict (organisation_id, phone_number) do update set call_sid = null
    returning xmax = 0 as is_new`.execute(tx);
  return rows.filter((row) => row.is_new).length;
}
