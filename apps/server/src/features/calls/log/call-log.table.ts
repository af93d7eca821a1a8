import type { Tx } from "../../../db/transaction.ts";
import { findCall, selectCalls, type StoredCall, toStoredCall } from "../calls.table.ts";
import { isToSort } from "./activity-of-call.table.ts";
import { hasMessage } from "./voicemail-of-call.table.ts";
import { type CallStatus, type HangUpCause, liveStatuses } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { sql } from "kysely";

export interface CallFilter {
  live?: boolean | undefined;
  direction?: Call["direction"] | undefined;
  status?: CallStatus | undefined;
  answered?: boolean | undefined;
  /** Calls missed by this person: nobody answered, and they rang for this person or for everyone. */
  missedBy?: string | undefined;
  userId?: string | undefined;
  /** Whether the caller left a message that still exists. */
  voicemail?: boolean | undefined;
  /** Calls that need a lead chosen, because several share the number. */
  isToSort?: boolean | undefined;
  /** Idempotency keys are scoped to a person. */
  startedBy?: { userId: string; idempotencyKey: string } | undefined;
  from?: string | undefined;
  to?: string | undefined;
  outcomeId?: string | undefined;
  /** The lead's own calls, and calls of its number that belong to no lead. */
  leadId?: string | undefined;
  /** A whole E.164 number, or digits anywhere in one. */
  number?: { whole: string } | { part: string } | undefined;
  /** Calls that match any part of the search. */
  about?: CallSearch | undefined;
}

export interface CallSearch {
  /** Calls whose own number or note matches: their ids if the index found them, otherwise the search itself. */
  own: { ids: readonly number[] } | OwnSearch;
  /** Matching leads, or LIKE patterns for the leads' search text. */
  leads: { ids: readonly string[]; numbers: readonly string[] } | { patterns: readonly string[] } | null;
}

export interface OwnSearch {
  /** Digits anywhere in the number. */
  digits: string | null;
  /** LIKE patterns, all of which the normalised note must match. */
  notePatterns: readonly string[];
}

/**
 * Finds calls by the trigram indexes, which need three characters. Null if they can't be used or find more than `most`
 * calls.
 */
export async function findCallIds(tx: Tx, { digits, notePatterns }: OwnSearch, most: number): Promise<number[] | null> {
  const isLong = (pattern: string) => [...pattern].length >= "%abc%".length;
  if (!notePatterns.some(isLong) || (digits !== null && digits.length < 3)) return null;
  const { rows } = await sql<{ id: number }>`
    select id from leadline_search.call_ids(${[...notePatterns]}::text[], ${digits}, ${most + 1}) as id`.execute(tx);
  return rows.length > most ? null : rows.map(({ id }) => id);
}

const isAbout = ({ own, leads }: CallSearch) => {
  const any =
    "ids" in own
      ? [sql`calls.id = any (${[...own.ids]}::bigint[])`]
      : [sql`calls.note_search like all (${[...own.notePatterns]}::text[])`];
  if ("digits" in own && own.digits !== null) any.push(sql`calls.phone_number like ${`%${own.digits}%`}`);
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

export interface CallPage {
  organisationId: string;
  limit: number;
  /** Calls before this callSid. */
  before: string | undefined;
  filter: CallFilter;
}

const isBefore = (callSid: string) => sql<boolean>`calls.id < (select id from calls where call_sid = ${callSid})`;

/** Searches only the next `most` calls of the page. `isWhole` if no further calls follow. */
export async function findNearCallIds(tx: Tx, { organisationId, before }: CallPage, about: CallSearch, most: number) {
  const start = before === undefined ? sql`true` : isBefore(before);
  const { rows } = await sql<{ walked: number; ids: number[] }>`
    with near as materialized (
      select id, organisation_id, phone_number, note_search, lead_id from calls
      where calls.organisation_id = ${organisationId} and ${start} order by calls.id desc limit ${most}
    )
    select (select count(*) from near) as walked, array(select id from near as calls where ${isAbout(about)}) as ids
  `.execute(tx);
  const { walked = 0, ids = [] } = rows[0] ?? {};
  return { ids, isWhole: walked < most };
}

/** Newest first. */
export async function selectCallPage(tx: Tx, page: CallPage): Promise<StoredCall[]> {
  const { organisationId, limit, before, filter } = page;
  let query = selectCalls(tx).where("calls.organisation_id", "=", organisationId);
  if (filter.live !== undefined) query = query.where("status", filter.live ? "in" : "not in", liveStatuses);
  if (filter.direction) query = query.where("direction", "=", filter.direction);
  if (filter.status) query = query.where("status", "=", filter.status);
  if (filter.answered !== undefined)
    query = query.where("ended_at", "is not", null).where("answered_at", filter.answered ? "is not" : "is", null);
  if (filter.missedBy)
    query = query
      .where("direction", "=", "inbound")
      .where("ended_at", "is not", null)
      .where("answered_at", "is", null)
      .where((row) => row.or([row("rings_for", "is", null), row("rings_for", "=", filter.missedBy ?? null)]));
  if (filter.userId) query = query.where("calls.user_id", "=", filter.userId);
  if (filter.voicemail !== undefined)
    query = query.where(
      filter.voicemail ? hasMessage(organisationId) : sql<boolean>`not ${hasMessage(organisationId)}`,
    );
  if (filter.isToSort) query = query.where(isToSort(organisationId));
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
  if (before !== undefined) query = query.where(isBefore(before));
  const rows = await query.orderBy("calls.id", "desc").limit(limit).execute();
  return rows.map(toStoredCall);
}

/** What reps record about a call. Unlike a CallChange it may change at any time. */
interface CallDisposition {
  note?: string | undefined;
  outcomeId?: string | null | undefined;
}

export async function disposeCall(tx: Tx, callSid: string, disposition: CallDisposition): Promise<void> {
  const { note, outcomeId } = disposition;
  const set = {
    ...(note !== undefined && { note }),
    ...(outcomeId !== undefined && { outcome_id: outcomeId }),
  };
  // Raise the revision even if only the callback changes, which is in another table: tabs show it with the call.
  await tx
    .updateTable("calls")
    .set({ ...set, revision: sql<number>`revision + 1` })
    .where("call_sid", "=", callSid)
    .execute();
}

/**
 * Changes an ended call's reason. Null if there is no such call. Without a reason only the revision grows, because
 * related data has changed.
 */
export async function changeReason(
  tx: Tx,
  callSid: string,
  reason: HangUpCause["reason"] | undefined,
): Promise<StoredCall | null> {
  const changed = await tx
    .updateTable("calls")
    .set({ revision: sql<number>`revision + 1`, ...(reason && { reason }) })
    .where("call_sid", "=", callSid)
    .where("ended_at", "is not", null)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n ? findCall(tx, callSid) : null;
}

/** Deletes at most `limit` calls and returns how many. */
export async function deleteSomeCalls(tx: Tx, organisationId: string, limit: number): Promise<number> {
  const some = tx
    .selectFrom("calls")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .limit(limit)
    .forUpdate();
  const deleted = await tx.deleteFrom("calls").where("id", "in", some).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
