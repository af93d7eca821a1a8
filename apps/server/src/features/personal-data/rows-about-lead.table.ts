import { type RawBuilder, sql } from "kysely";
import { type Traces, mentions } from "./find-traces.table.ts";

/**
 * The rows of each table that are about the person, as a condition. The export contains them, and the erasure deletes or
 * blanks them; only the audit log is searched apart (audit-traces.table.ts).
 */
export function rowsAboutLead(traces: Traces) {
  const { organisationId, ids, names, numbers, callSids, externalIds } = traces;
  const digits = numbers.map((number) => number.slice(1));
  const where = (condition: RawBuilder<unknown>) => sql`organisation_id = ${organisationId} and (${condition})`;
  const isAny = (column: string, values: readonly string[], type: "text" | "uuid" = "text") =>
    sql`${sql.ref(column)} = any(${values}::${sql.raw(type)}[])`;
  const isLead = (column = "lead_id") => isAny(column, ids, "uuid");
  const isNumber = isAny("phone_number", numbers);
  const isCall = isAny("call_sid", callSids);
  return {
    leads: where(isLead("id")),
    lead_notes: where(isLead()),
    lead_history: where(isLead()),
    lead_merges: where(isLead("kept_id")),
    lead_choices: where(isLead()),
    lead_separations: where(sql`lead_ids && ${ids}::uuid[] or ${mentions(sql`value`, traces)}`),
    files: where(isLead()),
    calls: where(isCall),
    // A teammate who was asked during such a call saw who was on the line.
    calls_to_teammates: where(sql`phone_number = '' and erased_at is null and caller_id is not null and (
      exists (select from unnest(${names}::text[]) as own (name) where position(name in caller_id) > 0)
      or exists (select from unnest(${digits}::text[]) as own (digits)
        where position(digits in regexp_replace(caller_id, '[^0-9]', '', 'g')) > 0))`),
    voicemail_messages: where(isCall),
    call_transfers: where(sql`${isLead()} or ${isNumber}`),
    call_activities: where(sql`${isLead()} or ${isCall}`),
    carrier_records: where(sql`${isCall}
      or ltrim(from_number, '+') = any(${digits}::text[]) or ltrim(to_number, '+') = any(${digits}::text[])`),
    limit_breaches: where(isNumber),
    follow_ups: where(isNumber),
    follow_up_reminders: where(sql`${isLead()} or ${isNumber}`),
    do_not_call: where(sql`${isNumber} or ${isCall}`),
    lead_imports: where(mentions(sql`preview::text`, traces)),
    lead_import_errors: where(mentions(sql`concat_ws(' ', message, cells::text)`, traces)),
    lead_import_duplicates: where(sql`${isLead()} or ${mentions(sql`fields::text`, traces)}`),
    lead_changes: where(sql`state in ('done', 'undone', 'failed') and ${mentions(sql`matching::text`, traces)}`),
    lead_writes: where(isLead()),
    crm_changes: where(isAny("lead_external_id", externalIds)),
    sync_run_leads: where(isAny("external_id", externalIds)),
    sync_run_left_out: where(isAny("external_id", externalIds)),
    live_events: where(mentions(sql`data::text`, traces)),
  };
}

export type RowsAboutLead = ReturnType<typeof rowsAboutLead>;
