import { type Kysely, sql } from "kysely";

interface AuditedTable {
  /** Columns that say nothing about what a person did. */
  ignores?: readonly string[];
  /** Columns whose change is recorded, but not their values: secrets, and what people write about others. */
  hides?: readonly string[];
  /** Only updates of these columns are recorded. */
  only?: readonly string[];
  /** Only changes by these endpoints are recorded. The others are the software's. */
  actions?: readonly string[];
}

/** Every table with an organisation_id is audited; these differ from the rest. */
const auditedDifferently: Record<string, AuditedTable> = {
  balance_settings: { ignores: ["is_low", "pause_mailed_at"], hides: ["saved_method"] },
  call_activities: { actions: ["call.write-retried"], ignores: ["due_at", "lease", "may_exist", "problem", "tries"] },
  // The call log has the rest: who called which number, and when.
  calls: { only: ["note", "outcome_id", "lead_id"], hides: ["note"] },
  carrier_accounts: { ignores: ["may_have_trunk", "mirrored_limits"] },
  crm_grants: { ignores: ["is_refused"] },
  integrations: { ignores: ["paused_until", "pauses"] },
  lead_notes: { hides: ["text"] },
  leads: {
    ignores: ["last_called_at", "former_account", "former_external_id", "crm_values", "crm_read_at", "left_crm_at"],
    hides: ["crm_fields"],
  },
  lead_imports: { ignores: ["preview", "suggested_mapping", "bytes_read", "delimiter"] },
  lead_writes: {
    actions: ["lead.created-in-crm", "lead.write-retried"],
    ignores: ["conflicts", "created_with", "creates", "due_at", "lead_id", "lease", "problem", "tries"],
  },
  organisations: { ignores: ["time_zone_changed_at"] },
  phone_numbers: { ignores: ["asked_at", "of_sandbox"] },
  top_ups: { ignores: ["return_url", "checked_at"], hides: ["checkout_id", "checkout_url", "saved_method"] },
  users: { ignores: ["active_organisation_id"] },
  voicemail_messages: { ignores: ["state"] },
};

/** Tables without organisation_id, whose rows people change within an organisation. Its log gets the entry. */
export const auditedWithoutOrganisation = ["organisations", "passwords", "users"] as const;

/** Why the other tables with an organisation_id are not audited. */
export const unaudited: Record<string, string> = {
  audit_changes: "the audit log itself",
  audit_entries: "the audit log itself",
  call_costs: "what carriers bill, not changes of a person",
  call_transfers: "part of the call log",
  carrier_legs: "part of the call log",
  carrier_rate_readings: "when a carrier's rates were read; the rates themselves are audited",
  carrier_record_cursors: "how far a carrier's records were read",
  carrier_records: "what carriers bill, not changes of a person",
  crm_changes: "reports of a CRM, not changes of a person",
  crm_logins: "a login under way at a CRM; the connection that it makes is audited",
  erased_crm_records: "part of a deletion or an erasure, which is audited as one",
  follow_up_reminders: "a queue; the follow-ups themselves are audited",
  lead_history: "a log of its own; leads are audited",
  lead_import_duplicates: "rows of an import, which is audited as one",
  lead_import_errors: "rows of an import, which is audited as one",
  ledger_accounts: "the ledger keeps every entry itself",
  ledger_holds: "the ledger keeps every entry itself",
  ledger_transfers: "the ledger keeps every entry itself",
  limit_breaches: "a log of its own",
  live_event_horizons: "announces changes; isn't one itself",
  live_events: "announces changes; isn't one itself",
  payment_reports: "reports of a payment provider, not changes of a person",
  sync_run_leads: "rows of a sync, which is audited as one",
  sync_run_left_out: "rows of a sync, which is audited as one",
  trunk_line_holds: "lines of a carrier in use",
  trunk_lines: "when the next call may start",
};

/** Columns that the software uses to identify and order rows. */
const bookkeeping = [
  "changed_at",
  "created_at",
  "generation",
  "id",
  "idempotency_key",
  "organisation_id",
  "process_key",
  "request_hash",
  "revision",
  "stored_name",
  "touched_at",
  "updated_at",
  "version",
];
const secretName = /hash|sealed|secret|token|password|cipher|verifier/;

interface Column {
  table_name: string;
  name: string;
  type: string;
  is_computed: boolean;
  key_at: number | null;
}

/**
 * Creates the audit trigger on every audited table, after the last migration, so that a new table or column is audited
 * automatically. Does nothing if all triggers are up to date.
 */
export async function auditTables(db: Kysely<unknown>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Processes that start together take turns.
    await sql`select pg_advisory_xact_lock(hashtextextended('audit triggers', 0))`.execute(tx);
    const wanted = await wantedTriggers(tx);
    const { rows } = await sql<{ table_name: string; made: string | null }>`
      select tgrelid::regclass::text as table_name, obj_description(oid, 'pg_trigger') as made
      from pg_trigger where tgname = 'audit_change'`.execute(tx);
    const present = new Map(rows.map(({ table_name, made }) => [table_name, made]));
    for (const [table, create] of wanted) {
      if (present.get(table) === create) continue;
      await sql`drop trigger if exists audit_change on ${sql.table(table)}`.execute(tx);
      await sql.raw(create).execute(tx);
      await sql`comment on trigger audit_change on ${sql.table(table)} is ${sql.lit(create)}`.execute(tx);
    }
    for (const table of present.keys())
      if (!wanted.has(table)) await sql`drop trigger audit_change on ${sql.table(table)}`.execute(tx);
  });
}

/** By table. */
async function wantedTriggers(db: Kysely<unknown>): Promise<Map<string, string>> {
  const { rows } = await sql<Column>`
    select c.relname as table_name, a.attname as name, t.typname as type,
      a.attgenerated <> '' or a.attidentity <> '' as is_computed, array_position(i.indkey::int2[], a.attnum) as key_at
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname, a.attnum`.execute(db);
  const tables = Map.groupBy(rows, (column) => column.table_name);
  const isAudited = (table: string, columns: Column[]): boolean =>
    auditedWithoutOrganisation.some((name) => name === table) ||
    (columns.some(({ name }) => name === "organisation_id") && !(table in unaudited));
  return new Map(
    [...tables]
      .filter(([table, columns]) => isAudited(table, columns))
      .map(([table, columns]) => [table, triggerOn(table, columns)]),
  );
}

function triggerOn(table: string, columns: Column[]): string {
  const { ignores = [], hides = [], only, actions } = auditedDifferently[table] ?? {};
  const namesOf = (which: (column: Column) => boolean): string =>
    `'{${columns
      .filter(which)
      .map(({ name }) => name)
      .join(",")}}'`;
  const isIgnored = ({ name, is_computed }: Column): boolean =>
    is_computed || bookkeeping.includes(name) || ignores.includes(name) || (only !== undefined && !only.includes(name));
  const isHidden = ({ name, type }: Column): boolean =>
    type === "bytea" || secretName.test(name) || hides.includes(name);
  const key = columns
    .filter(({ key_at, name }) => key_at !== null && name !== "organisation_id")
    .toSorted((a, b) => (a.key_at ?? 0) - (b.key_at ?? 0));
  const events = only === undefined ? "insert or update or delete" : `update of ${only.join(", ")}`;
  const audited =
    actions === undefined
      ? "coalesce(current_setting('app.audit', true), '') <> ''"
      : `nullif(current_setting('app.audit', true), '')::jsonb->>'action' = any ('{${actions.join(",")}}')`;
  return `create trigger audit_change after ${events} on ${table} for each row
    when (${audited})
    execute function audit_change(${namesOf(isIgnored)}, ${namesOf(isHidden)}, '{${key.map(({ name }) => name).join(",")}}')`;
}
