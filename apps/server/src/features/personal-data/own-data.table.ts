import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** Needs the system scope: a person's data is in all their organisations, former ones too. */
export async function selectOwnData(tx: Tx, userId: string): Promise<Record<string, unknown>> {
  const list = (rows: RawBuilder<unknown>) => sql`(select coalesce(jsonb_agg(to_jsonb(r)), '[]') from (${rows}) r)`;
  const named = sql`join organisations on organisations.id = organisation_id`;
  const { rows } = await sql<{ data: Record<string, unknown> }>`
    select jsonb_build_object(
      'profile', jsonb_build_object('id', id, 'firstName', first_name, 'lastName', last_name, 'email', email,
        'createdAt', created_at),
      'passwordChangedAt', (select changed_at from passwords where user_id = ${userId}),
      'singleSignOn', ${list(sql`select issuer, subject, created_at from identities where user_id = ${userId}`)},
      'sessions', ${list(sql`
        select created_at, last_used_at, expires_at, ended_at, ip_address, user_agent
        from sessions where user_id = ${userId} order by created_at`)},
      'memberships', ${list(sql`
        select organisations.name as organisation, role, memberships.created_at
        from memberships ${named} where user_id = ${userId} order by memberships.created_at`)},
      'invitations', ${list(sql`
        select organisations.name as organisation, role, invitations.created_at, expires_at
        from invitations ${named} where email = users.email order by invitations.created_at`)},
      'files', ${list(sql`
        select files.name, media_type, size_bytes, organisations.name as organisation, files.created_at
        from files left join organisations on organisations.id = organisation_id
        where user_id = ${userId} order by files.created_at`)},
      'imports', ${list(sql`
        select file_name, organisations.name as organisation, lead_imports.created_at
        from lead_imports ${named} where user_id = ${userId} order by lead_imports.created_at`)},
      'leadViews', ${list(sql`
        select lead_views.name, shared, filter, columns, organisations.name as organisation, lead_views.created_at
        from lead_views ${named} where user_id = ${userId} order by lead_views.created_at`)},
      'limits', ${list(sql`
        select organisations.name as organisation, allowed_countries, blocked_prefixes, concurrent_calls,
          calls_per_minute, daily_spend, rate_per_minute, call_minutes
        from member_limits ${named} where user_id = ${userId}`)}
    ) as data
    from users where id = ${userId}`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("the person whose data is read is not there");
  return row.data;
}

export interface LinesPage {
  userId: string;
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
export async function selectOwnCalls(tx: Tx, { userId, after, limit }: LinesPage): Promise<Line[]> {
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
export async function selectOwnNotes(tx: Tx, { userId, after, limit }: LinesPage): Promise<Line[]> {
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
export async function selectOwnAuditEntries(tx: Tx, { userId, after, limit }: LinesPage): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select e.id, jsonb_build_object('organisation', o.name, 'at', e.at, 'action', e.action, 'userName', e.user_name,
      'address', e.address, 'userAgent', e.user_agent)::text as line
    from audit_entries e join organisations o on o.id = e.organisation_id
    where e.organisation_id = any(array(select id from organisations)) and e.user_id = ${userId} and e.id > ${after}
    order by e.id limit ${limit}`.execute(tx);
  return rows;
}

export interface Avatar {
  storedName: string;
  name: string;
}

export async function findOwnAvatar(tx: Tx, userId: string): Promise<Avatar | null> {
  const { rows } = await sql<Avatar>`
    select stored_name as "storedName", name from files where avatar_of = ${userId}`.execute(tx);
  return rows[0] ?? null;
}
