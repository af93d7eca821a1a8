import { sql } from "kysely";
import { seeRemovedLeads } from "../../db/see-removed-leads.ts";
import type { Tx } from "../../db/transaction.ts";

/** Rows as they are stored, without what only serves searching and sorting. */
export interface LeadData {
  lead: Record<string, unknown>;
  [kind: string]: unknown;
}

export interface StoredContent {
  storedName: string;
  /** In the ZIP. */
  name: string;
}

interface LeadKey {
  id: string;
  organisationId: string;
}

const bookkeeping = sql`array['organisation_id', 'position', 'search', 'sort_name', 'sort_company',
  'sort_job_title', 'sort_email', 'sort_phone', 'sort_next_step', 'status_rank', 'due_at', 'lease', 'may_exist', 'removal_id', 'stored_name', 'process_key', 'remembered', 'idempotency_key', 'request_hash', 'revision',
  'note_search', 'media_connection_id', 'resumed_unseen', 'seen_at', 'has_line', 'waits_for',
  'margin_percent']`;

/** The lead's calls, and those with its number that belong to no lead. */
const callsOf = ({ id, organisationId }: LeadKey) => sql`
  select * from calls where organisation_id = ${organisationId} and (
    lead_id = ${id} or (lead_id is null and phone_number <> '' and phone_number = (
      select phone_number from leads where id = ${id} and organisation_id = ${organisationId})))`;

export async function selectLeadData(tx: Tx, key: LeadKey): Promise<LeadData> {
  const { id, organisationId } = key;
  await seeRemovedLeads(tx, "on");
  const merged = sql`select * from leads where organisation_id = ${organisationId} and removal_id in (
    select id from lead_merges where organisation_id = ${organisationId} and kept_id = ${id})`;
  const ofLead = (table: string) =>
    sql`select * from ${sql.table(table)} where organisation_id = ${organisationId} and lead_id = ${id}`;
  const ofNumber = (table: string) =>
    sql`select * from ${sql.table(table)} where organisation_id = ${organisationId} and phone_number = lead.phone_number`;
  const list = (rows: ReturnType<typeof ofLead>) =>
    sql`(select coalesce(jsonb_agg(to_jsonb(r) - ${bookkeeping}), '[]') from (${rows}) r)`;
  const { rows } = await sql<{ data: LeadData }>`
    select jsonb_build_object(
      'lead', to_jsonb(lead) - ${bookkeeping},
      'mergedLeads', ${list(merged)},
      'notes', ${list(ofLead("lead_notes"))},
      'changes', ${list(ofLead("lead_history"))},
      'files', ${list(ofLead("files"))},
      'calls', ${list(callsOf(key))},
      'voicemail', ${list(sql`select * from voicemail_messages where call_sid in (select call_sid from (${callsOf(key)}) c)`)},
      'transfersToIt', ${list(ofLead("call_transfers"))},
      'loggedInCrm', ${list(ofLead("call_activities"))},
      'writtenToCrm', ${list(ofLead("lead_writes"))},
      'followUps', ${list(ofNumber("follow_ups"))},
      'doNotCall', ${list(ofNumber("do_not_call"))},
      'importedRows', ${list(ofLead("lead_import_duplicates"))},
      'auditLog', ${list(sql`
        select e.at, e.action, e.user_name, c.kind, c.operation, c.before, c.after
        from audit_changes c join audit_entries e on e.id = c.entry_id
        where c.organisation_id = ${organisationId} and c.subject_id = ${id}`)}
    ) as data
    from leads lead where lead.organisation_id = ${organisationId} and lead.id = ${id}`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("the lead whose data is read is not there");
  return row.data;
}

/** The lead's files, and the messages of its calls. */
export async function selectStoredContent(tx: Tx, key: LeadKey): Promise<StoredContent[]> {
  const { rows } = await sql<StoredContent>`
    select stored_name as "storedName", 'files/' || replace(name, '/', '_') as name from files
      where organisation_id = ${key.organisationId} and lead_id = ${key.id}
    union all
    select stored_name, 'voicemail/' || call_sid || '.wav' from voicemail_messages
      where state = 'kept' and call_sid in (select call_sid from (${callsOf(key)}) c)`.execute(tx);
  return rows;
}
