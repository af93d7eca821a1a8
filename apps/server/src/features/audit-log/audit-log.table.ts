import { type AuditChange, type AuditEntry, byLeadline } from "@leadline/contract/audit-log";
import { foldText } from "@leadline/contract/fold-text";
import { type Generated, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** Written by triggers only (audited-tables.ts). */
export interface AuditEntryTable {
  id: Generated<number>;
  organisation_id: string;
  at: Generated<string>;
  action: string;
  user_id: string | null;
  user_name: string;
  by_leadline: Generated<boolean>;
  address: string;
  user_agent: string;
  request_id: string;
}
export interface AuditChangeTable {
  id: Generated<number>;
  entry_id: number;
  organisation_id: string;
  kind: string;
  subject_id: string;
  subject: string;
  operation: AuditChange["operation"];
  before: AuditChange["before"];
  after: AuditChange["after"];
}

export interface AskedOfAudit {
  organisationId: string;
  /** "leadline": what Leadline changed on its own. */
  userId?: string | undefined;
  action?: string | undefined;
  search?: string | undefined;
  /** YYYY-MM-DD, in the organisation's time zone. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Newest first, older than the given entry. */
export async function selectAuditEntries(
  tx: Tx,
  asked: AskedOfAudit,
  page: { before: number | null; limit: number },
): Promise<AuditEntry[]> {
  const { organisationId, userId, action, search, from, to } = asked;
  const pattern = `%${foldText(search ?? "").replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const conditions = [
    sql`e.organisation_id = ${organisationId}`,
    ...(page.before === null ? [] : [sql`(e.at, e.id) < (select at, id from audit_entries where id = ${page.before})`]),
    ...(userId === undefined
      ? []
      : [userId === byLeadline ? sql`e.user_id is null and e.by_leadline` : sql`e.user_id = ${userId}`]),
    ...(action === undefined ? [] : [sql`e.action = ${action}`]),
    ...(from === undefined ? [] : [sql`e.at >= ${dayBegins(organisationId, from)}`]),
    ...(to === undefined ? [] : [sql`e.at < ${dayBegins(organisationId, to, 1)}`]),
    ...(search === undefined || search === "" ? [] : [contains(pattern)]),
  ];
  const { rows } = await sql<AuditEntry>`
    select e.id, e.at, e.action, e.user_id as "userId", e.user_name as "userName", e.by_leadline as "byLeadline", e.address,
      e.user_agent as "userAgent", e.request_id as "requestId",
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'kind', kind, 'subjectId', subject_id, 'subject', subject, 'operation', operation,
          'before', before, 'after', after) order by c.id), '[]')
        from audit_changes c where c.entry_id = e.id
      ) as changes
    from (
      select * from audit_entries e where ${sql.join(conditions, sql` and `)}
      order by e.at desc, e.id desc limit ${page.limit}
    ) e
    order by e.at desc, e.id desc`.execute(tx);
  return rows;
}

const contains = (pattern: string) => sql`(
  leadline_search.fold(e.user_name || ' ' || e.address) like ${pattern} or exists (
    select from audit_changes c where c.entry_id = e.id and leadline_search.fold(
      concat_ws(' ', c.subject, c.before::text, c.after::text)) like ${pattern}))`;

/** The start of the day, or of the one `later` days after it, in the organisation's time zone. */
const dayBegins = (organisationId: string, day: string, later = 0) => sql`(
  select (${day}::date + ${later}::integer)::timestamp at time zone time_zone
  from organisations where id = ${organisationId})`;

/** The names of those of these ids that are members. */
export async function namesOfMembers(tx: Tx, ids: readonly string[]): Promise<Record<string, string>> {
  if (ids.length === 0) return {};
  const rows = await tx
    .selectFrom("users")
    .select(["id", "first_name", "last_name"])
    .where("id", "=", sql<string>`any(${ids}::uuid[])`)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.id, `${row.first_name} ${row.last_name}`]));
}

export async function selectKeptDays(tx: Tx, organisationId: string): Promise<number> {
  const row = await tx
    .selectFrom("organisations")
    .select("audit_days")
    .where("id", "=", organisationId)
    .executeTakeFirstOrThrow();
  return row.audit_days;
}

export async function writeKeptDays(tx: Tx, organisationId: string, days: number): Promise<void> {
  await tx.updateTable("organisations").set({ audit_days: days }).where("id", "=", organisationId).execute();
}

/** Deletes up to `limit` expired entries and returns how many. */
export async function pruneAuditEntries(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from audit_entries where id in (
        select e.id from organisations o
        cross join lateral (
          select id from audit_entries
          where organisation_id = o.id and at < now() - make_interval(days => o.audit_days)
          order by at limit ${limit}
        ) e
        limit ${limit}
      ) returning 1
    )
    select count(*) from gone`.execute(tx);
  return rows[0]?.count ?? 0;
}
