import { type Generated, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { type AuditTraces, blankAuditLog, mentions } from "./audit-traces.table.ts";
import type { LeadKey, Traces } from "./find-traces.table.ts";
import { pauseAuditLog } from "./pause-audit-log.table.ts";

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

type Step = (tx: Tx, traces: Traces) => Promise<unknown>;

/**
 * Erases the lead and everything about it; calls stay with their times and costs. Returns the stored names of what is on
 * disk. A number on the do-not-call list stays there, or the person would be called again.
 */
export async function eraseTraces(tx: Tx, traces: Traces, inAuditLog: AuditTraces): Promise<string[]> {
  await pauseAuditLog(tx);
  const storedNames = [...(await deleteMessages(tx, traces)), ...(await deleteDrafts(tx, traces))];
  const { rows: files } = await sql<{ stored_name: string }>`
    select stored_name from files
    where organisation_id = ${traces.organisationId} and lead_id = any(${traces.ids}::uuid[])`.execute(tx);
  await blankAuditLog(tx, traces, inAuditLog);
  const steps: Step[] = [blankCalls, blankBilling, deleteImported, deleteByNumber, deleteSynced];
  for (const step of steps) await step(tx, traces);
  // Notes, history, files and activities go with it.
  await sql`
    delete from leads where organisation_id = ${traces.organisationId} and id = any(${traces.ids}::uuid[])`.execute(tx);
  return [...storedNames, ...files.map((file) => file.stored_name)];
}

async function deleteMessages(tx: Tx, { callSids }: Traces): Promise<string[]> {
  const { rows } = await sql<{ stored_name: string }>`
    delete from voicemail_messages where call_sid = any(${callSids}::text[]) returning stored_name`.execute(tx);
  return rows.map((row) => row.stored_name);
}

/** Files that were uploaded and not imported; of longer ones only the first rows are known. */
async function deleteDrafts(tx: Tx, traces: Traces): Promise<string[]> {
  const { rows } = await sql<{ stored_name: string | null }>`
    delete from lead_imports where organisation_id = ${traces.organisationId} and state = 'draft'
      and ${mentions(sql`preview::text`, traces)}
    returning stored_name`.execute(tx);
  return rows.flatMap((row) => row.stored_name ?? []);
}

async function blankCalls(tx: Tx, traces: Traces): Promise<void> {
  const { organisationId, ids, names, numbers, callSids } = traces;
  await sql`delete from call_activities where call_sid = any(${callSids}::text[])`.execute(tx);
  await sql`
    delete from call_transfers where organisation_id = ${organisationId}
      and (lead_id = any(${ids}::uuid[]) or phone_number = any(${numbers}::text[]))`.execute(tx);
  await sql`
    update calls set phone_number = '', phone_number_typed = '', caller_id = ${erased}, caller_verified = null,
      caller_verification = null, forwarded_by = null, remembered = null, refusal = null, note = '', lead_id = null, request_hash = null,
      hours_override = case when hours_override is not null then '(erased)' end,
      erased_at = clock_timestamp(), revision = revision + 1
    where call_sid = any(${callSids}::text[])`.execute(tx);
  // A teammate who was asked during such a call saw who was on the line.
  const digits = numbers.map((number) => number.slice(1));
  await sql`
    update calls set caller_id = ${erased}
    where organisation_id = ${organisationId} and phone_number = '' and erased_at is null and caller_id is not null and (
      exists (select from unnest(${names}::text[]) as own (name) where position(name in caller_id) > 0)
      or exists (select from unnest(${digits}::text[]) as own (digits)
        where position(digits in regexp_replace(caller_id, '[^0-9]', '', 'g')) > 0))`.execute(tx);
}

/** The carrier's records keep their costs. */
async function blankBilling(tx: Tx, { organisationId, numbers, callSids }: Traces): Promise<void> {
  const digits = numbers.map((number) => number.slice(1));
  const isTheirs = (number: "from_number" | "to_number") =>
    sql`ltrim(${sql.ref(number)}, '+') = any(${digits}::text[])`;
  await sql`
    update carrier_records set
      from_number = case when ${isTheirs("from_number")} then '' else from_number end,
      to_number = case when ${isTheirs("to_number")} then '' else to_number end
    where organisation_id = ${organisationId}
      and (${isTheirs("from_number")} or ${isTheirs("to_number")})`.execute(tx);
  await sql`
    update carrier_records set from_number = '', to_number = ''
    where organisation_id = ${organisationId} and call_sid = any(${callSids}::text[])`.execute(tx);
  await sql`
    update limit_breaches set phone_number = '', detail = 'The lead was erased.'
    where organisation_id = ${organisationId} and phone_number = any(${numbers}::text[])`.execute(tx);
}

async function deleteImported(tx: Tx, traces: Traces): Promise<void> {
  const { organisationId, ids } = traces;
  await sql`
    update lead_imports set preview = '[]'
    where organisation_id = ${organisationId} and ${mentions(sql`preview::text`, traces)}`.execute(tx);
  await sql`
    delete from lead_import_errors where organisation_id = ${organisationId}
      and ${mentions(sql`concat_ws(' ', message, cells::text)`, traces)}`.execute(tx);
  await sql`
    delete from lead_import_duplicates where organisation_id = ${organisationId}
      and (lead_id = any(${ids}::uuid[]) or ${mentions(sql`fields::text`, traces)})`.execute(tx);
}

/** And by email and id. */
async function deleteByNumber(tx: Tx, traces: Traces): Promise<void> {
  const { organisationId, ids, numbers, callSids } = traces;
  await sql`
    delete from follow_ups where organisation_id = ${organisationId}
      and phone_number = any(${numbers}::text[])`.execute(tx);
  await sql`
    update do_not_call set call_sid = null where organisation_id = ${organisationId}
      and call_sid = any(${callSids}::text[])`.execute(tx);
  await sql`
    delete from lead_separations where organisation_id = ${organisationId}
      and (lead_ids && ${ids}::uuid[] or ${mentions(sql`value`, traces)})`.execute(tx);
  await sql`
    update lead_changes set matching = null where organisation_id = ${organisationId}
      and state in ('done', 'undone', 'failed') and ${mentions(sql`matching::text`, traces)}`.execute(tx);
  await sql`
    delete from live_events where organisation_id = ${organisationId}
      and ${mentions(sql`data::text`, traces)}`.execute(tx);
}

async function deleteSynced(tx: Tx, { organisationId, externalIds }: Traces): Promise<void> {
  if (externalIds.length === 0) return;
  for (const [table, column] of [
    ["crm_changes", "lead_external_id"],
    ["sync_run_leads", "external_id"],
    ["sync_run_left_out", "external_id"],
  ] as const)
    await sql`
      delete from ${sql.table(table)} where organisation_id = ${organisationId}
        and ${sql.ref(column)} = any(${externalIds}::text[])`.execute(tx);
}
