import type { LeadHistoryField, LeadTimelineEntry } from "@leadline/contract/lead-timeline";
import { type Generated, type GeneratedAlways, sql } from "kysely";
import { formerMember } from "../../db/person-name.ts";
import type { Tx } from "../../db/transaction.ts";

export interface LeadHistoryTable {
  id: GeneratedAlways<number>;
  organisation_id: string;
  lead_id: string;
  user_id: string | null;
  /** Set for a change by a sync. The run may be deleted by now. */
  sync_run_id: string | null;
  changes: string;
  created_at: Generated<string>;
}

export interface TimelineCursor {
  at: string;
  id: string;
}

interface Page {
  organisationId: string;
  leadId: string;
  after: TimelineCursor | null;
  limit: number;
}

const userName = sql`coalesce(users.first_name || ' ' || users.last_name, ${formerMember})`;

/** Newest first. Reads at most a page of each kind, so that a long history of one costs no more. */
export async function selectTimeline(tx: Tx, page: Page): Promise<LeadTimelineEntry[]> {
  const { organisationId, leadId, after, limit } = page;
  const follows = after === null ? sql`true` : sql`(at, id) < (${after.at}::timestamptz, ${after.id}::text)`;
  const newest = sql`order by at desc, id desc limit ${limit}`;
  const { rows } = await sql<{ at: string; id: string; entry: LeadTimelineEntry }>`
    with entries as (
      (select * from (
        select calls.created_at as at, 'call ' || calls.call_sid as id, json_build_object(
          'kind', 'call', 'callSid', calls.call_sid, 'call', json_build_object(
            'direction', calls.direction, 'status', calls.status, 'durationMs', calls.duration_ms, 'note', calls.note,
            'cause', case when calls.reason is not null then json_build_object(
              'reason', calls.reason, 'sip', calls.sip, 'q850', calls.q850) end),
          'userName', case when calls.user_id is null then '' else ${userName} end,
          'outcomeName', call_outcomes.name,
          'voicemail', (
            select json_build_object('durationMs', message.duration_ms, 'heardAt', to_char(
                message.heard_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
            from voicemail_messages as message where message.call_sid = calls.call_sid and message.state = 'kept'
          )) as entry
        from calls
        left join users on users.id = calls.user_id
        left join call_outcomes on call_outcomes.id = calls.outcome_id
        where calls.organisation_id = ${organisationId} and (calls.lead_id = ${leadId} or (
          calls.lead_id is null and calls.phone_number = (
            select phone_number from leads where leads.organisation_id = ${organisationId} and leads.id = ${leadId})))
      ) as made where ${follows} ${newest})
      union all (select * from (
        select lead_notes.created_at as at, 'note ' || lead_notes.id as id,
          json_build_object('kind', 'note', 'text', text, 'userName', ${userName}) as entry
        from lead_notes left join users on users.id = lead_notes.user_id
        where lead_notes.organisation_id = ${organisationId} and lead_notes.lead_id = ${leadId}
      ) as written where ${follows} ${newest})
      union all (select * from (
        select files.created_at as at, 'file ' || files.id as id,
          json_build_object('kind', 'file', 'fileId', files.id, 'name', name, 'userName', ${userName}) as entry
        from files left join users on users.id = files.user_id
        where files.organisation_id = ${organisationId} and files.lead_id = ${leadId}
      ) as uploaded where ${follows} ${newest})
      union all (select * from (
        select lead_history.created_at as at, 'change ' || lead_history.id as id, json_build_object('kind', 'change',
          'userName', case when lead_history.user_id is not null then ${userName} end, 'fields', changes,
          'sync', case when integrations.id is not null then json_build_object(
            'integrationId', integrations.id, 'runId', sync_runs.id, 'label', integrations.label) end) as entry
        from lead_history left join users on users.id = lead_history.user_id
        left join sync_runs on sync_runs.id = lead_history.sync_run_id
        left join integrations on integrations.id = sync_runs.integration_id
        where lead_history.organisation_id = ${organisationId} and lead_history.lead_id = ${leadId}
      ) as changed where ${follows} ${newest})
    )
    select at, id, entry from entries ${newest}`.execute(tx);
  const entries = rows.map(({ at, id, entry }): LeadTimelineEntry => ({ ...entry, at, id }));
  return nameOwners(tx, organisationId, entries);
}

const isId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text);

/** Replaces the ids of members who owned the lead or its follow-up. */
async function nameOwners(tx: Tx, organisationId: string, entries: LeadTimelineEntry[]): Promise<LeadTimelineEntry[]> {
  const isOwner = ({ field }: { field: LeadHistoryField }) => field === "owner" || field === "followUpOwner";
  const changes = entries.flatMap((entry) => (entry.kind === "change" ? entry.fields.filter(isOwner) : []));
  const ids = [...new Set(changes.flatMap(({ before, after }) => [before, after]).filter(isId))];
  if (ids.length === 0) return entries;
  const members = await tx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id", "first_name", "last_name"])
    .where("organisation_id", "=", organisationId)
    .where("users.id", "in", ids)
    .execute();
  const names = new Map(members.map((member) => [member.id, `${member.first_name} ${member.last_name}`]));
  const nameOf = (owner: string) => names.get(owner) ?? (isId(owner) ? formerMember : owner);
  return entries.map((entry) => {
    if (entry.kind !== "change") return entry;
    const fields = entry.fields.map((change) =>
      isOwner(change) ? { ...change, before: nameOf(change.before), after: nameOf(change.after) } : change,
    );
    return { ...entry, fields };
  });
}
