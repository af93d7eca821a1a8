import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { type AuditTraces, selectAuditChanges } from "./audit-traces.table.ts";
import { type Traces, mentions } from "./find-traces.table.ts";
import { type RowsAboutLead, rowsAboutLead } from "./rows-about-lead.table.ts";

/** Rows as they are stored, without what only serves searching and sorting. */
export type LeadData = Record<"lead" | "mergedLeads" | "auditLog" | (typeof sections)[Listed], unknown>;

export interface StoredContent {
  storedName: string;
  /** In the ZIP. */
  name: string;
}

/** Live events are copies that are dropped within an hour, so no two exports would be alike. */
type Listed = Exclude<keyof RowsAboutLead, "leads" | "live_events">;

/** In data.json. */
export const sections = {
  lead_notes: "notes",
  lead_history: "changes",
  lead_merges: "merges",
  lead_choices: "chosenForItsNumber",
  lead_separations: "keptSeparate",
  files: "files",
  calls: "calls",
  calls_to_teammates: "shownToTeammates",
  voicemail_messages: "voicemail",
  call_transfers: "transfersToIt",
  call_activities: "loggedInCrm",
  carrier_records: "carrierRecords",
  limit_breaches: "refusedCalls",
  follow_ups: "followUps",
  follow_up_reminders: "reminders",
  do_not_call: "doNotCall",
  lead_imports: "importPreviews",
  lead_import_errors: "importErrors",
  lead_import_duplicates: "importedRows",
  lead_changes: "changesOfManyLeads",
  lead_writes: "writtenToCrm",
  crm_changes: "reportedByCrm",
  sync_run_leads: "seenInCrm",
  sync_run_left_out: "leftOutOfSyncs",
} as const satisfies Record<Listed, string>;

const bookkeeping = sql`array['organisation_id', 'position', 'search', 'sort_name', 'sort_company',
  'sort_job_title', 'sort_email', 'sort_phone', 'sort_next_step', 'status_rank', 'due_at', 'lease', 'may_exist', 'logged_for', 'removal_id', 'stored_name', 'process_key', 'remembered', 'idempotency_key', 'request_hash', 'revision',
  'note_search', 'media_connection_id', 'resumed_unseen', 'seen_at', 'has_line', 'waits_for',
  'margin_percent']`;

/** Guarantee: `sections` has no other keys. */
const listed = Object.keys(sections) as Listed[];

const withoutBookkeeping = sql`to_jsonb(r) - ${bookkeeping}`;

/** What isn't stored as the person's alone is exported in part. */
const partly = (traces: Traces): Partial<Record<Listed, RawBuilder<unknown>>> => ({
  calls_to_teammates: sql`jsonb_build_object('created_at', created_at, 'caller_id', caller_id)`,
  lead_imports: sql`jsonb_build_object('file_name', file_name, 'created_at', created_at, 'rows', (
    select jsonb_agg(cells) from jsonb_array_elements(preview::jsonb) as previewed (cells)
    where ${mentions(sql`cells::text`, traces)}))`,
});

export async function selectLeadData(
  tx: Tx,
  traces: Traces,
  { id, inAuditLog }: { id: string; inAuditLog: AuditTraces },
): Promise<LeadData> {
  const about = rowsAboutLead(traces);
  const list = (table: string, where: RawBuilder<unknown>, row: RawBuilder<unknown> = withoutBookkeeping) =>
    sql`(select coalesce(jsonb_agg(${row}), '[]') from ${sql.table(table)} r where ${where})`;
  const inPart = partly(traces);
  const lists = listed.flatMap((key) => {
    const table = key === "calls_to_teammates" ? "calls" : key;
    return [sql.lit(sections[key]), list(table, about[key], inPart[key])];
  });
  const { rows } = await sql<{ data: LeadData }>`
    select jsonb_build_object(
      'lead', ${list("leads", sql`id = ${id} and ${about.leads}`)} -> 0,
      'mergedLeads', ${list("leads", sql`id <> ${id} and ${about.leads}`)},
      ${sql.join(lists)}
    ) as data`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("a query without a table returned no row");
  return { ...row.data, auditLog: await selectAuditChanges(tx, traces, inAuditLog) };
}

/** The lead's files, and the messages of its calls. */
export async function selectStoredContent(tx: Tx, traces: Traces): Promise<StoredContent[]> {
  const about = rowsAboutLead(traces);
  const { rows } = await sql<StoredContent>`
    select stored_name as "storedName", 'files/' || replace(name, '/', '_') as name from files where ${about.files}
    union all
    select stored_name, 'voicemail/' || call_sid || '.wav' from voicemail_messages
      where state = 'kept' and ${about.voicemail_messages}`.execute(tx);
  return rows;
}
