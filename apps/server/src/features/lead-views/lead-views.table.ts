import type { LeadView } from "@leadline/contract/lead-views";
import { type Generated, type JSONColumnType, sql } from "kysely";
import { personName } from "../../db/person-name.ts";
import type { Tx } from "../../db/transaction.ts";

export interface LeadViewTable {
  id: Generated<string>;
  organisation_id: string;
  user_id: string;
  name: string;
  shared: boolean;
  filter: JSONColumnType<LeadView["filter"]>;
  columns: JSONColumnType<string[]>;
  created_at: Generated<string>;
}

interface Viewer {
  organisationId: string;
  userId: string;
}

/** The user's own views, and those shared by others. */
export async function selectLeadViews(tx: Tx, { organisationId, userId }: Viewer): Promise<LeadView[]> {
  const rows = await tx
    .selectFrom("lead_views")
    .leftJoin("users", "users.id", "lead_views.user_id")
    .select(["lead_views.id", "user_id", "name", "shared", "filter", "columns", "first_name", "last_name"])
    .where("organisation_id", "=", organisationId)
    .where((is) => is.or([is("user_id", "=", userId), is("shared", "=", true)]))
    .orderBy(sql`lower(name)`)
    .orderBy("lead_views.id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    shared: row.shared,
    own: row.user_id === userId,
    userName: personName(row),
    filter: row.filter,
    columns: row.columns,
  }));
}

/** Locks saving views for one person, so that they can be counted. */
export async function lockLeadViews(tx: Tx, { organisationId, userId }: Viewer): Promise<void> {
  const name = `lead-views:${organisationId}:${userId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Returns its id. */
export async function upsertLeadView(
  tx: Tx,
  { organisationId, userId }: Viewer,
  view: Pick<LeadView, "name" | "shared" | "filter" | "columns">,
): Promise<string> {
  const [filter, columns] = [JSON.stringify(view.filter), JSON.stringify(view.columns)];
  const { rows } = await sql<{ id: string }>`
    insert into lead_views (organisation_id, user_id, name, shared, filter, columns)
    values (${organisationId}, ${userId}, ${view.name}, ${view.shared}, ${filter}, ${columns})
    on conflict (organisation_id, user_id, lower(name)) do update set
      name = excluded.name, shared = excluded.shared, filter = excluded.filter, columns = excluded.columns
    returning id`.execute(tx);
  return rows[0]?.id ?? "";
}

/** The user's own view, or with `shared` any shared one. Returns whether it existed. */
export async function deleteView(
  tx: Tx,
  { organisationId, userId }: Viewer,
  { id, shared }: { id: string; shared: boolean },
): Promise<boolean> {
  const deleted = await tx
    .deleteFrom("lead_views")
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .where((is) => is.or([is("user_id", "=", userId), ...(shared ? [is("shared", "=", true)] : [])]))
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}
