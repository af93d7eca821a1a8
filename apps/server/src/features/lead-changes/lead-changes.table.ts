import type { LeadChange, LeadChangeAction, LeadMatch } from "@leadline/contract/lead-changes";
import { type Generated, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface LeadChangeTable {
  id: string;
  organisation_id: string;
  user_id: string;
  kind: LeadChange["kind"];
  action: string;
  matching: string | null;
  state: LeadChange["state"];
  changed: Generated<number>;
  total: number | null;
  done_from: number | null;
  failures: Generated<number>;
  created_at: Generated<string>;
  undo_until: string | null;
}

export interface ChangeKey {
  id: string;
  organisationId: string;
}

export interface StoredChange extends ChangeKey {
  userId: string;
  action: LeadChangeAction;
  matching: LeadMatch | null;
  /** The position of the last lead that was changed. */
  doneFrom: number | null;
  failures: number;
  isUndoOver: boolean;
  change: LeadChange;
}

const columns = sql`id, organisation_id, user_id, kind, action, matching, state, changed, total, done_from, failures,
  created_at, undo_until, coalesce(undo_until <= clock_timestamp(), true) as is_over`;

interface Row {
  id: string;
  organisation_id: string;
  user_id: string;
  kind: LeadChange["kind"];
  action: LeadChangeAction;
  matching: LeadMatch | null;
  state: LeadChange["state"];
  changed: number;
  total: number | null;
  done_from: number | null;
  failures: number;
  created_at: string;
  undo_until: string | null;
  is_over: boolean;
}

const toStored = (row: Row): StoredChange => ({
  id: row.id,
  organisationId: row.organisation_id,
  userId: row.user_id,
  action: row.action,
  matching: row.matching,
  doneFrom: row.done_from,
  failures: row.failures,
  isUndoOver: row.is_over,
  change: {
    id: row.id,
    kind: row.kind,
    state: row.state,
    changed: row.changed,
    total: row.total,
    createdAt: row.created_at,
    undoUntil: row.undo_until,
  },
});

export async function insertChange(
  tx: Tx,
  change: ChangeKey & { userId: string; action: LeadChangeAction; matching: LeadMatch | null; total: number | null },
): Promise<StoredChange> {
  const { rows } = await sql<Row>`
    insert into lead_changes (id, organisation_id, user_id, kind, action, matching, state, total)
    values (${change.id}, ${change.organisationId}, ${change.userId}, ${change.action.kind},
      ${JSON.stringify(change.action)}, ${change.matching && JSON.stringify(change.matching)}, 'running', ${change.total})
    returning ${columns}`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("a change of leads was not inserted");
  return toStored(row);
}

/** Locked until the transaction ends, so that each batch runs once. */
export async function holdChange(tx: Tx, key: ChangeKey): Promise<StoredChange | null> {
  const { rows } = await sql<Row>`
    select ${columns} from lead_changes
    where organisation_id = ${key.organisationId} and id = ${key.id} for update`.execute(tx);
  return rows[0] ? toStored(rows[0]) : null;
}

/** Attributes the transaction's further changes to the person in the leads' history. */
export async function actFor(tx: Tx, userId: string): Promise<void> {
  await sql`select set_config('app.user_id', ${userId}, true)`.execute(tx);
}

/** The person's own changes: in progress, recently failed, or a deletion that can be undone. */
export async function selectOwnChanges(tx: Tx, by: { organisationId: string; userId: string }): Promise<LeadChange[]> {
  const { rows } = await sql<Row>`
    select ${columns} from lead_changes
    where organisation_id = ${by.organisationId} and user_id = ${by.userId}
      and (state in ('running', 'undoing') or (state in ('done', 'failed') and undo_until > clock_timestamp()))
    order by created_at desc limit 20`.execute(tx);
  return rows.map((row) => toStored(row).change);
}

interface Progress {
  state: LeadChange["state"];
  changed: number;
  doneFrom?: number | null;
  failures?: number;
  /** From now on. */
  undoMinutes?: number;
}

export async function setProgress(tx: Tx, key: ChangeKey, progress: Progress): Promise<StoredChange> {
  const { state, changed, doneFrom, failures = 0, undoMinutes } = progress;
  const until =
    undoMinutes === undefined ? sql`undo_until` : sql`clock_timestamp() + ${undoMinutes} * interval '1 minute'`;
  const { rows } = await sql<Row>`
    update lead_changes set state = ${state}, changed = ${changed}, failures = ${failures}, undo_until = ${until},
      done_from = ${doneFrom === undefined ? sql`done_from` : doneFrom}
    where organisation_id = ${key.organisationId} and id = ${key.id} returning ${columns}`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("this change of leads is gone");
  return toStored(row);
}

/** Deletions that can no longer be undone, and old changes of other kinds. */
export async function selectOutdated(tx: Tx, most: number): Promise<StoredChange[]> {
  const { rows } = await sql<Row>`
    select ${columns} from lead_changes
    where state in ('done', 'failed') and undo_until <= clock_timestamp()
      or (state = 'undone' or (kind <> 'delete' and state in ('done', 'failed')))
        and created_at < clock_timestamp() - interval '1 day'
    order by created_at limit ${most}`.execute(tx);
  return rows.map(toStored);
}

export async function deleteChange(tx: Tx, key: ChangeKey): Promise<void> {
  await tx
    .deleteFrom("lead_changes")
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .execute();
}
