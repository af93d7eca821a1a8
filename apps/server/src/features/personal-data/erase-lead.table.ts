import { type Generated, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { type AuditTraces, blankAuditLog } from "./audit-traces.table.ts";
import type { LeadKey, Traces } from "./find-traces.table.ts";
import { pauseAuditLog } from "./pause-audit-log.table.ts";
import { type RowsAboutLead, rowsAboutLead } from "./rows-about-lead.table.ts";

/** Proof of an erasure; its audit entry is the only one that the erasure leaves. */
export interface ErasedLeadTable {
  organisation_id: string;
  /** The lead. */
  erased_id: string;
  erased_by: string;
  erased_at: Generated<string>;
}

export async function insertErasedLead(tx: Tx, key: LeadKey & { userId: string }): Promise<void> {
  await tx
    .insertInto("erased_leads")
    .values({ organisation_id: key.organisationId, erased_id: key.id, erased_by: key.userId })
    .execute();
}

/** Shown as the far end of its calls. */
const erased = "Erased lead";

/**
 * Erases the lead and everything about it; calls stay with their times and costs. Returns the stored names of what is on
 * disk. A number on the do-not-call list stays there, or the person would be called again.
 */
export async function eraseTraces(tx: Tx, traces: Traces, inAuditLog: AuditTraces): Promise<string[]> {
  const about = rowsAboutLead(traces);
  await pauseAuditLog(tx);
  const { rows: files } = await sql<{
    stored_name: string;
  }>`select stored_name from files where ${about.files}`.execute(tx);
  const storedNames = [...(await deleteMessages(tx, about)), ...(await deleteDrafts(tx, about))];
  await blankAuditLog(tx, traces, inAuditLog);
  await blankCalls(tx, about);
  await blankRecords(tx, about);
  for (const table of deleted) await sql`delete from ${sql.table(table)} where ${about[table]}`.execute(tx);
  return [...files.map((file) => file.stored_name), ...storedNames];
}

/** Notes, history, files and the like are deleted with the leads. */
const deleted = [
  "call_activities",
  "call_transfers",
  "follow_ups",
  "lead_separations",
  "lead_import_errors",
  "lead_import_duplicates",
  "crm_changes",
  "sync_run_leads",
  "sync_run_left_out",
  "live_events",
  "leads",
] as const satisfies (keyof RowsAboutLead)[];

async function deleteMessages(tx: Tx, about: RowsAboutLead): Promise<string[]> {
  const { rows } = await sql<{ stored_name: string }>`
    delete from voicemail_messages where ${about.voicemail_messages} returning stored_name`.execute(tx);
  return rows.map((row) => row.stored_name);
}

/** Files that were uploaded and not imported; of longer ones only the first rows are known. */
async function deleteDrafts(tx: Tx, about: RowsAboutLead): Promise<string[]> {
  const { rows } = await sql<{ stored_name: string | null }>`
    delete from lead_imports where state = 'draft' and ${about.lead_imports} returning stored_name`.execute(tx);
  return rows.flatMap((row) => row.stored_name ?? []);
}

async function blankCalls(tx: Tx, about: RowsAboutLead): Promise<void> {
  await sql`update calls set caller_id = ${erased} where ${about.calls_to_teammates}`.execute(tx);
  await sql`
    update calls set phone_number = '', phone_number_typed = '', caller_id = ${erased}, caller_verified = null,
      caller_verification = null, forwarded_by = null, remembered = null, refusal = null, note = '', lead_id = null, request_hash = null,
      hours_override = case when hours_override is not null then '(erased)' end,
      erased_at = clock_timestamp(), revision = revision + 1
    where ${about.calls}`.execute(tx);
}

/** The carrier's records keep their costs. */
async function blankRecords(tx: Tx, about: RowsAboutLead): Promise<void> {
  await sql`update carrier_records set from_number = '', to_number = '' where ${about.carrier_records}`.execute(tx);
  await sql`
    update limit_breaches set phone_number = '', detail = 'The lead was erased.'
    where ${about.limit_breaches}`.execute(tx);
  await sql`update do_not_call set call_sid = null where ${about.do_not_call}`.execute(tx);
  await sql`update lead_imports set preview = '[]' where ${about.lead_imports}`.execute(tx);
  await sql`update lead_changes set matching = null where ${about.lead_changes}`.execute(tx);
}
