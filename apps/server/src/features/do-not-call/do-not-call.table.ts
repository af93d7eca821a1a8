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
  /** The call whose outcome put it there, and takes it away again when it is corrected. */
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

/** Newest first, and where the last of them stands: the next page follows it. */
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

/** Leaves one that stands there already as it is. */
export async function insertDoNotCall(
  tx: Tx,
  entry: NumberKey & { userId: string; callSid: string | null },
): Promise<void> {
  await tx
    .insertInto("do_not_call")
    .values({
      organisation_id: entry.organisationId,
      phone_number: entry.phoneNumber,
      user_id: entry.userId,
      call_sid: entry.callSid,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteDoNotCall(tx: Tx, key: NumberKey): Promise<void> {
  await tx
    .deleteFrom("do_not_call")
    .where("organisation_id", "=", key.organisationId)
    .where("phone_number", "=", key.phoneNumber)
    .execute();
}

/** What the call's outcome put there. */
export async function deleteDoNotCallOfCall(tx: Tx, key: { organisationId: string; callSid: string }): Promise<void> {
  await tx
    .deleteFrom("do_not_call")
    .where("organisation_id", "=", key.organisationId)
    .where("call_sid", "=", key.callSid)
    .execute();
}
