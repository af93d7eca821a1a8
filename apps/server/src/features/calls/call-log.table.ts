import type { CallStatus } from "@leadline/contract/call-state";
import { liveStatuses } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { selectCalls, type StoredCall, toStoredCall } from "./calls.table.ts";

export interface CallFilter {
  live?: boolean | undefined;
  direction?: Call["direction"] | undefined;
  status?: CallStatus | undefined;
  answered?: boolean | undefined;
  userId?: string | undefined;
  /** A key is its person's. */
  startedBy?: { userId: string; idempotencyKey: string } | undefined;
  from?: string | undefined;
  to?: string | undefined;
  outcomeId?: string | undefined;
  /** Its own calls, and those of its number that are no lead's. */
  leadId?: string | undefined;
  /** A whole E.164 number, or digits somewhere in one. */
  number?: { whole: string } | { part: string } | undefined;
  /** Calls that any of these tells of. */
  about?: CallSearch | undefined;
}

interface CallSearch {
  /** Digits somewhere in the number. */
  digits: string | null;
  /** LIKE patterns, all of which the folded note holds. */
  notePatterns: readonly string[];
  /** Leads, or the LIKE patterns that their search text holds. */
  leads: { ids: readonly string[]; numbers: readonly string[] } | { patterns: readonly string[] } | null;
}

const isAbout = ({ digits, notePatterns, leads }: CallSearch) => {
  const any = [sql`leadline_search.fold(calls.note) like all (${[...notePatterns]}::text[])`];
  if (digits !== null) any.push(sql`calls.phone_number like ${`%${digits}%`}`);
  if (leads && "ids" in leads)
    any.push(sql`calls.lead_id = any (${[...leads.ids]}::uuid[])
      or (calls.lead_id is null and calls.phone_number = any (${[...leads.numbers]}::text[]))`);
  else if (leads)
    any.push(sql`exists (
      select from leads
      where leads.organisation_id = calls.organisation_id and leads.search like all (${[...leads.patterns]}::text[])
        and (leads.id = calls.lead_id or (calls.lead_id is null and leads.phone_number = calls.phone_number)))`);
  return sql<boolean>`(${sql.join(any, sql` or `)})`;
};

const ofLead = (organisationId: string, leadId: string) => sql<boolean>`(
  calls.lead_id = ${leadId} or (calls.lead_id is null and calls.phone_number = (
    select phone_number from leads where leads.organisation_id = ${organisationId} and leads.id = ${leadId}
  )))`;

/** Newest first, before the given call. */
export async function selectCallPage(
  tx: Tx,
  page: { organisationId: string; limit: number; before: string | undefined; filter: CallFilter },
): Promise<StoredCall[]> {
  const { organisationId, limit, before, filter } = page;
  let query = selectCalls(tx).where("calls.organisation_id", "=", organisationId);
  if (filter.live !== undefined) query = query.where("status", filter.live ? "in" : "not in", liveStatuses);
  if (filter.direction) query = query.where("direction", "=", filter.direction);
  if (filter.status) query = query.where("status", "=", filter.status);
  if (filter.answered !== undefined)
    query = query.where("ended_at", "is not", null).where("answered_at", filter.answered ? "is not" : "is", null);
  if (filter.userId) query = query.where("calls.user_id", "=", filter.userId);
  if (filter.startedBy)
    query = query
      .where("calls.user_id", "=", filter.startedBy.userId)
      .where("idempotency_key", "=", filter.startedBy.idempotencyKey);
  if (filter.from) query = query.where("calls.created_at", ">=", filter.from);
  if (filter.to) query = query.where("calls.created_at", "<", filter.to);
  if (filter.outcomeId === "none") query = query.where("outcome_id", "is", null);
  else if (filter.outcomeId) query = query.where("outcome_id", "=", filter.outcomeId);
  if (filter.leadId) query = query.where(ofLead(organisationId, filter.leadId));
  if (filter.number && "whole" in filter.number) query = query.where("phone_number", "=", filter.number.whole);
  else if (filter.number) query = query.where("phone_number", "like", `%${filter.number.part}%`);
  if (filter.about) query = query.where(isAbout(filter.about));
  if (before !== undefined)
    query = query.where("calls.id", "<", (inner) =>
      inner.selectFrom("calls as earlier").select("earlier.id").where("earlier.call_sid", "=", before),
    );
  const rows = await query.orderBy("calls.id", "desc").limit(limit).execute();
  return rows.map(toStoredCall);
}
