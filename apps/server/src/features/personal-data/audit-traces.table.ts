import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { type Traces, mentions } from "./find-traces.table.ts";

/** Changes in the audit log that mention the person, in the entries before `searchedTo`. */
export interface AuditTraces {
  changeIds: number[];
  /** Null: nothing was searched. */
  searchedTo: string | null;
}

/** Where the next slice of the search begins. Null: at the newest entry that is searched. */
export type AuditPosition = { at: string; id: number } | null;

/** An entry has the time at which its transaction began, and no transaction that is audited lasts this long. */
const settledAfter = sql`interval '10 minutes'`;

/** About members and the organisation's own numbers, even if a lead has the same email or number. */
const notAboutLeads = [
  "erased_leads",
  "users",
  "passwords",
  "memberships",
  "invitations",
  "phone_numbers",
  "verified_caller_ids",
];

const isAbout = (traces: Traces) => sql`kind <> all(${notAboutLeads}::text[]) and (
  (kind = 'calls' and subject_id in (
    select id::text from calls where organisation_id = ${traces.organisationId}
      and call_sid = any(${traces.callSids}::text[])))
  or (kind in ('call_activities', 'voicemail_messages') and subject_id = any(${traces.callSids}::text[]))
  or ${mentions(sql`concat_ws(' ', subject_id, subject, before::text, after::text)`, traces)})`;

/** Every entry with an earlier time is committed. */
export async function findSettledTime(tx: Tx): Promise<string> {
  const { rows } = await sql<{ time: string }>`select now() - ${settledAfter} as time`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("a query without a table returned no row");
  return row.time;
}

/** Searches the next `entries` entries, from new to old. `next`: null if there are no more. */
export async function searchAuditSlice(
  tx: Tx,
  traces: Traces,
  { before, from, entries }: { before: string; from: AuditPosition; entries: number },
): Promise<{ changeIds: number[]; next: AuditPosition }> {
  const { rows } = await sql<{ at: string; id: number }>`
    select at, id from audit_entries
    where organisation_id = ${traces.organisationId} and at < ${before}
      ${from === null ? sql`` : sql`and (at, id) < (${from.at}::timestamptz, ${from.id}::bigint)`}
    order by at desc, id desc limit ${entries}`.execute(tx);
  const { rows: found } = await sql<{ id: number }>`
    select id from audit_changes
    where entry_id = any(${rows.map((row) => row.id)}::bigint[]) and organisation_id = ${traces.organisationId}
      and ${isAbout(traces)}`.execute(tx);
  const last = rows.length < entries ? undefined : rows.at(-1);
  return { changeIds: found.map((row) => row.id), next: last ?? null };
}

/** The person's changes, as conditions: those that were found, and those in entries that weren't searched. */
function changesAbout(traces: Traces, { changeIds, searchedTo }: AuditTraces): RawBuilder<unknown>[] {
  const { organisationId } = traces;
  const isRecent =
    searchedTo === null
      ? sql``
      : sql`and entry_id in (
          select id from audit_entries where organisation_id = ${organisationId} and at >= ${searchedTo})`;
  return [
    ...(changeIds.length > 0 ? [sql`organisation_id = ${organisationId} and id = any(${changeIds}::bigint[])`] : []),
    sql`organisation_id = ${organisationId} and ${isAbout(traces)} ${isRecent}`,
  ];
}

/** For an export, oldest first. */
export async function selectAuditChanges(tx: Tx, traces: Traces, found: AuditTraces): Promise<unknown[]> {
  const every = changesAbout(traces, found).map((which) => sql`select * from audit_changes where ${which}`);
  const { rows } = await sql`
    select e.at, e.action, e.user_name, c.kind, c.operation, c.subject, c.before, c.after
    from (${sql.join(every, sql` union `)}) c join audit_entries e on e.id = c.entry_id order by c.id`.execute(tx);
  return rows;
}

/** The entries stay, without what they say about the person. Only those that weren't searched before are searched. */
export async function blankAuditLog(tx: Tx, traces: Traces, found: AuditTraces): Promise<void> {
  for (const which of changesAbout(traces, found))
    await sql`
      update audit_changes set subject = '', before = null, after = null,
        subject_id = case when ${mentions(sql`subject_id`, traces)} and subject_id <> all(${traces.ids}::text[])
          then '' else subject_id end
      where ${which}`.execute(tx);
}
