import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { type Known, type RowsOfAccount, rowsOfAccount } from "./rows-of-account.table.ts";

/** What a row says, without secrets. Their audit entries are sent line by line. */
const columns = {
  users: sql`id, first_name as "firstName", last_name as "lastName", email, created_at as "createdAt"`,
  passwords: sql`changed_at`,
  password_resets: sql`created_at, expires_at, used_at`,
  identities: sql`issuer, subject, created_at`,
  sessions: sql`created_at, last_used_at, expires_at, ended_at, ip_address, user_agent`,
  memberships: sql`organisation, role, created_at`,
  invitations: sql`organisation, email, role, created_at, expires_at`,
  files: sql`name, media_type, size_bytes, created_at`,
  lead_views: sql`name, shared, filter, columns, organisation, created_at`,
  crm_logins: sql`organisation, expires_at`,
  crm_owners: sql`organisation, name, email`,
  follow_up_reminders: sql`organisation, remind_on, remind_at`,
  member_limits: sql`organisation, allowed_countries, blocked_prefixes, concurrent_calls, calls_per_minute, daily_spend,
    rate_per_minute, call_minutes`,
  audit_changes: sql`organisation, kind, operation, subject, before, after`,
  named_changes: sql`organisation, kind, operation, subject`,
  calls: sql`organisation, created_at, caller_id`,
} as const satisfies Record<Exclude<keyof RowsOfAccount, "audit_entries">, RawBuilder<unknown>>;

const tables: Partial<Record<keyof typeof columns, string>> = { named_changes: "audit_changes" };
/** Those of the account itself; the others are in organisations. */
const withoutOrganisation: readonly (keyof typeof columns)[] = [
  "users",
  "passwords",
  "password_resets",
  "identities",
  "sessions",
];

/** Needs the system scope: a person's data is in all their organisations, former ones too. */
export async function selectOwnData(tx: Tx, known: Known): Promise<Record<string, unknown>> {
  const { userId } = known;
  const own = rowsOfAccount(known);
  const list = (rows: RawBuilder<unknown>) => sql`(select coalesce(jsonb_agg(to_jsonb(r)), '[]') from (${rows}) r)`;
  const listOwn = (key: keyof typeof columns) => {
    const organisation = withoutOrganisation.includes(key)
      ? sql``
      : sql`, (select o.name from organisations o where o.id = organisation_id) as organisation`;
    return list(sql`
      select ${columns[key]} from (select * ${organisation} from ${sql.table(tables[key] ?? key)} where ${own[key]}) own`);
  };
  const named = sql`join organisations on organisations.id = organisation_id`;
  const { rows } = await sql<{ data: Record<string, unknown> }>`
    select jsonb_build_object(
      'profile', ${listOwn("users")} -> 0,
      'passwords', ${listOwn("passwords")},
      'passwordResets', ${listOwn("password_resets")},
      'singleSignOn', ${listOwn("identities")},
      'sessions', ${listOwn("sessions")},
      'memberships', ${listOwn("memberships")},
      'invitations', ${listOwn("invitations")},
      'picture', ${listOwn("files")},
      'files', ${list(sql`
        select files.name, media_type, size_bytes, organisations.name as organisation, files.created_at
        from files left join organisations on organisations.id = organisation_id
        where user_id = ${userId} order by files.created_at`)},
      'imports', ${list(sql`
        select file_name, organisations.name as organisation, lead_imports.created_at
        from lead_imports ${named} where user_id = ${userId} order by lead_imports.created_at`)},
      'leadViews', ${listOwn("lead_views")},
      'crmLogins', ${listOwn("crm_logins")},
      'crmOwners', ${listOwn("crm_owners")},
      'reminders', ${listOwn("follow_up_reminders")},
      'limits', ${listOwn("member_limits")},
      'changesOfAccount', ${listOwn("audit_changes")},
      'changesUnderYourName', ${listOwn("named_changes")},
      'callsThatShowYourName', ${listOwn("calls")}
    ) as data`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("a query without a table returned no row");
  return row.data;
}

export interface LinesPage {
  known: Known;
  after: number;
  limit: number;
}
export interface Line {
  id: number;
  /** JSON. */
  line: string;
}

/** Data about other people belongs to the organisation, so former members don’t get it. */
const isStillMember = sql`exists (
  select from memberships where memberships.organisation_id = calls.organisation_id
    and memberships.user_id = calls.user_id)`;

/** Calls that the person made or took; in organisations that they have left, without number and note. */
export async function selectOwnCalls(tx: Tx, { known: { userId }, after, limit }: LinesPage): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select calls.id, jsonb_build_object('organisation', organisations.name, 'direction', direction,
      'status', status, 'createdAt', calls.created_at, 'answeredAt', answered_at, 'endedAt', ended_at,
      'durationMs', duration_ms,
      'phoneNumber', case when ${isStillMember} then phone_number end,
      'note', case when ${isStillMember} then note end)::text as line
    from calls join organisations on organisations.id = calls.organisation_id
    where calls.user_id = ${userId} and calls.id > ${after}
    order by calls.id limit ${limit}`.execute(tx);
  return rows;
}

/** In the organisations that they belong to. */
export async function selectOwnNotes(tx: Tx, { known: { userId }, after, limit }: LinesPage): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select lead_notes.position as id, jsonb_build_object('organisation', organisations.name, 'text', text, 'createdAt', lead_notes.created_at)::text as line
    from lead_notes
    join organisations on organisations.id = lead_notes.organisation_id
    join memberships on memberships.organisation_id = lead_notes.organisation_id and memberships.user_id = ${userId}
    where lead_notes.user_id = ${userId} and lead_notes.position > ${after}
    order by lead_notes.position limit ${limit}`.execute(tx);
  return rows;
}

/** What the audit log says that they did, and from where; without the values that changed, which are about others. */
export async function selectOwnAuditEntries(tx: Tx, { known, after, limit }: LinesPage): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select e.id, jsonb_build_object('organisation', o.name, 'at', e.at, 'action', e.action, 'userName', e.user_name,
      'address', e.address, 'userAgent', e.user_agent)::text as line
    from (select * from audit_entries where ${rowsOfAccount(known).audit_entries}) e
    join organisations o on o.id = e.organisation_id
    where e.id > ${after}
    order by e.id limit ${limit}`.execute(tx);
  return rows;
}

export interface Avatar {
  storedName: string;
  name: string;
}

export async function findOwnAvatar(tx: Tx, known: Known): Promise<Avatar | null> {
  const { rows } = await sql<Avatar>`
    select stored_name as "storedName", name from files where ${rowsOfAccount(known).files}`.execute(tx);
  return rows[0] ?? null;
}
