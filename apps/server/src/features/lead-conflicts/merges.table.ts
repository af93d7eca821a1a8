import type { LeadMerge } from "@leadline/contract/lead-conflicts";
import { type Generated, sql } from "kysely";
import { personName } from "../../db/person-name.ts";
import { seeRemovedLeads } from "../../db/see-removed-leads.ts";
import type { Tx } from "../../db/transaction.ts";

export interface LeadMergeTable {
  id: string;
  organisation_id: string;
  user_id: string;
  kept_id: string;
  merged: number;
  moved: string;
  filled: string;
  created_at: Generated<string>;
}

export interface Merge {
  id: string;
  organisationId: string;
  keptId: string;
}

/** What belongs to a lead, with the key of its rows. Calls logged on a lead's CRM record stay with that record. */
const belongings = {
  lead_notes: "id",
  files: "id",
  calls: "call_sid",
  call_transfers: "id",
  lead_choices: "phone_number",
} as const;
type Belonging = keyof typeof belongings;

/** By table: each row's key and its former lead. Null for a call that belonged to none. */
export type Moved = Partial<Record<Belonging, [key: string, leadId: string | null][]>> & {
  /** Calls that waited for a choice among leads with the merged leads' numbers, or weren't to be logged before. */
  sorted?: string[];
};

/** Locked in the order of their ids. Returns those that exist. */
export function holdLeads(
  tx: Tx,
  organisationId: string,
  ids: readonly string[],
): Promise<{ id: string; integration_id: string | null }[]> {
  return tx
    .selectFrom("leads")
    .select(["id", "integration_id"])
    .where("organisation_id", "=", organisationId)
    .where("id", "in", ids)
    .orderBy("id")
    .forUpdate()
    .execute();
}

/** Moves everything of the other leads to the kept one. Returns where each row was. */
export async function moveBelongings(tx: Tx, merge: Merge, otherIds: readonly string[]): Promise<Moved> {
  const moved: Moved = {};
  for (const table of Object.keys(belongings) as Belonging[]) {
    const key = belongings[table];
    const { rows } = await sql<{ key: string; lead_id: string }>`
      with theirs as (
        select ${sql.ref(key)} as key, lead_id from ${sql.table(table)}
        where organisation_id = ${merge.organisationId} and lead_id = any(${otherIds}::uuid[]) for update
      ), moved as (
        update ${sql.table(table)} set lead_id = ${merge.keptId} from theirs
        where organisation_id = ${merge.organisationId} and ${sql.ref(`${table}.${key}`)} = theirs.key
      )
      select key::text, lead_id from theirs`.execute(tx);
    moved[table] = rows.map((row) => [row.key, row.lead_id]);
  }
  moved.calls = [...(moved.calls ?? []), ...(await takeCallsOfNumbers(tx, merge, otherIds))];
  return moved;
}

/**
 * Calls without a lead belong to whoever has their number. With a number that the kept lead lacks they would belong to
 * none.
 */
async function takeCallsOfNumbers(tx: Tx, merge: Merge, otherIds: readonly string[]): Promise<[string, null][]> {
  const { organisationId, keptId } = merge;
  const { rows } = await sql<{ call_sid: string }>`
    update calls set lead_id = ${keptId}
    where organisation_id = ${organisationId} and lead_id is null and phone_number in (
      select phone_number from leads
      where organisation_id = ${organisationId} and id = any(${otherIds}::uuid[]) and phone_number is not null
      except select phone_number from leads
      where organisation_id = ${organisationId} and not (id = any(${otherIds}::uuid[])) and phone_number is not null
        and phone_number in (select phone_number from leads
          where organisation_id = ${organisationId} and id = any(${otherIds}::uuid[]))
    )
    returning call_sid`.execute(tx);
  return rows.map((row) => [row.call_sid, null]);
}

/** Only rows that still belong to the kept lead. */
export async function moveBack(tx: Tx, { organisationId, keptId }: Merge, moved: Moved): Promise<void> {
  for (const table of Object.keys(belongings) as Belonging[]) {
    const rows = moved[table] ?? [];
    if (rows.length === 0) continue;
    const key = sql.ref(`${table}.${belongings[table]}`);
    await sql`
      update ${sql.table(table)} set lead_id = given.lead_id
      from unnest(${rows.map(([of]) => of)}::text[], ${rows.map(([, leadId]) => leadId)}::uuid[]) as given (key, lead_id)
      where organisation_id = ${organisationId} and ${key}::text = given.key
        and ${sql.ref(`${table}.lead_id`)} = ${keptId}`.execute(tx);
  }
}

/** Columns that are filled in if the kept lead's is empty. */
const fillable = [
  "email",
  "phone",
  "phone_number",
  "company",
  "job_title",
  "next_step",
  "owner_id",
  "owner_name",
  "follow_up_on",
  "follow_up_time",
  "follow_up_user_id",
] as const;
const followUp = ["follow_up_on", "follow_up_time", "follow_up_user_id"] as const;
export type Filled = Partial<Record<(typeof fillable)[number], { before: string | null; after: string | null }>>;

/** From the first of the other leads with a value. A number is copied along with its spelling. */
export async function fillGaps(
  tx: Tx,
  { organisationId, keptId }: Merge,
  otherIds: readonly string[],
): Promise<Filled> {
  const rows = await tx
    .selectFrom("leads")
    .select(["id", ...fillable])
    .where("organisation_id", "=", organisationId)
    .where("id", "in", [keptId, ...otherIds])
    .execute();
  const kept = rows.find(({ id }) => id === keptId);
  const others = otherIds.flatMap((otherId) => rows.find(({ id }) => id === otherId) ?? []);
  if (!kept) return {};
  const hasOwner = kept.owner_id !== null || kept.owner_name !== "";
  const filled: Filled = {};
  const isEmpty = (value: string | null) => value === null || value === "";
  const fill = (columns: readonly (typeof fillable)[number][], missing: boolean) => {
    const from = missing ? others.find((other) => columns.some((column) => !isEmpty(other[column]))) : undefined;
    if (from) for (const column of columns) filled[column] = { before: kept[column], after: from[column] };
  };
  for (const column of ["email", "company", "job_title", "next_step"] as const) fill([column], isEmpty(kept[column]));
  fill(["phone", "phone_number"], isEmpty(kept.phone));
  fill(["owner_id", "owner_name"], !hasOwner);
  fill(followUp, kept.follow_up_on === null);
  await setColumns(
    tx,
    { organisationId, id: keptId },
    Object.entries(filled).map(([name, { after }]) => [name, after]),
  );
  return filled;
}

/** Copied together or not at all: a number with its spelling, an owner's id with the name, a follow-up as a whole. */
function togetherWith(name: keyof Filled): readonly (keyof Filled)[] {
  if (name === "phone" || name === "phone_number") return ["phone", "phone_number"];
  if (name.startsWith("follow_up_")) return followUp;
  return name === "owner_id" || name === "owner_name" ? ["owner_id", "owner_name"] : [name];
}

/** Clears what the merge filled in, unless it has been changed since. */
export async function emptyFilled(tx: Tx, { organisationId, keptId }: Merge, filled: Filled): Promise<void> {
  const now = await tx
    .selectFrom("leads")
    .select(fillable)
    .where("organisation_id", "=", organisationId)
    .where("id", "=", keptId)
    .executeTakeFirst();
  const isSame = (name: keyof Filled): boolean => {
    const given = filled[name];
    return given === undefined || now?.[name] === given.after;
  };
  const same = Object.entries(filled).filter(([name]) => togetherWith(name as keyof Filled).every(isSame));
  await setColumns(
    tx,
    { organisationId, id: keptId },
    same.map(([name, { before }]) => [name, before]),
  );
}

async function setColumns(
  tx: Tx,
  key: { organisationId: string; id: string },
  values: readonly (readonly [name: string, value: string | null])[],
): Promise<void> {
  if (values.length === 0) return;
  await tx
    .updateTable("leads")
    .set({ ...Object.fromEntries(values), updated_at: sql<string>`clock_timestamp()` })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .execute();
}

export async function insertMerge(
  tx: Tx,
  merge: Merge & { userId: string; merged: number; moved: Moved; filled: Filled },
): Promise<void> {
  await tx
    .insertInto("lead_merges")
    .values({
      id: merge.id,
      organisation_id: merge.organisationId,
      user_id: merge.userId,
      kept_id: merge.keptId,
      merged: merge.merged,
      moved: JSON.stringify(merge.moved),
      filled: JSON.stringify(merge.filled),
    })
    .execute();
}

/** Deletes it, so that it can be undone only once. */
export async function takeMerge(
  tx: Tx,
  key: { id: string; organisationId: string },
): Promise<{ keptId: string; moved: Moved; filled: Filled } | null> {
  const { rows } = await sql<{ kept_id: string; moved: Moved; filled: Filled }>`
    delete from lead_merges where organisation_id = ${key.organisationId} and id = ${key.id}
    returning kept_id, moved, filled`.execute(tx);
  const [row] = rows;
  return row ? { keptId: row.kept_id, moved: row.moved, filled: row.filled } : null;
}

export async function selectMerges(
  tx: Tx,
  { organisationId, id, limit }: { organisationId: string; id?: string; limit: number },
): Promise<LeadMerge[]> {
  let query = tx
    .selectFrom("lead_merges")
    .leftJoin("leads", "leads.id", "lead_merges.kept_id")
    .leftJoin("users", "users.id", "lead_merges.user_id")
    .select([
      "lead_merges.id",
      "lead_merges.merged",
      "lead_merges.created_at",
      "leads.id as lead_id",
      "leads.first_name as lead_first_name",
      "leads.last_name as lead_last_name",
      "users.first_name",
      "users.last_name",
    ])
    .where("lead_merges.organisation_id", "=", organisationId);
  if (id !== undefined) query = query.where("lead_merges.id", "=", id);
  const rows = await query.orderBy("lead_merges.created_at", "desc").limit(limit).execute();
  return rows.map((row) => ({
    id: row.id,
    lead:
      row.lead_id === null
        ? null
        : { id: row.lead_id, firstName: row.lead_first_name ?? "", lastName: row.lead_last_name ?? "" },
    merged: row.merged,
    userName: personName(row),
    createdAt: row.created_at,
  }));
}

/** Hides the merged leads under the merge's id. */
export async function hideMerged(tx: Tx, merge: Merge, otherIds: readonly string[]): Promise<void> {
  await seeRemovedLeads(tx, "on");
  await sql`
    update leads set removal_id = ${merge.id}
    where organisation_id = ${merge.organisationId} and id = any(${otherIds}::uuid[])`.execute(tx);
  await seeRemovedLeads(tx, "off");
}

export async function showMerged(tx: Tx, merge: Merge): Promise<void> {
  await seeRemovedLeads(tx, "on");
  await sql`
    update leads set removal_id = null,
      last_called_at = last_call_of_lead(organisation_id, id, phone_number)
    where organisation_id = ${merge.organisationId} and (removal_id = ${merge.id} or id = ${merge.keptId})`.execute(tx);
  await seeRemovedLeads(tx, "off");
}

/** The other lead's calls are logged on the same CRM record. */
export async function moveActivities(tx: Tx, { organisationId, keptId }: Merge, otherId: string): Promise<void> {
  await tx
    .updateTable("call_activities")
    .set({ lead_id: keptId })
    .where("organisation_id", "=", organisationId)
    .where("lead_id", "=", otherId)
    .execute();
}

export async function deleteAbsorbed(tx: Tx, { organisationId }: Merge, otherId: string): Promise<void> {
  await tx.deleteFrom("leads").where("organisation_id", "=", organisationId).where("id", "=", otherId).execute();
}
