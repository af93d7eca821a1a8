import type { Tx } from "../../../db/transaction.ts";
import { findCall, selectCalls, type StoredCall, toStoredCall } from "../calls.table.ts";
import { isToSort } from "./activity-of-call.table.ts";
import { hasMessage } from "../inbound/voicemail-of-call.table.ts";
import { type CallStatus, type HangUpCause, liveStatuses } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { sql } from "kysely";

export interface CallFilter {
  live?: boolean | undefined;
  direction?: Call["direction"] | undefined;
  status?: CallStatus | undefined;
  answered?: boolean | undefined;
  /** By somebody: nobody took it, and it rang for them, or for everybody. */
  missedBy?: string | undefined;
  userId?: string | undefined;
  /** Whether its caller left a message that is kept. */
  voicemail?: boolean | undefined;
  /** Needs a lead chosen: several share its number. */
  isToSort?: boolean | undefined;
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

export interface CallSearch {
  /** The calls whose own number or note tells of it, by their ids, or how these are told. */
  own: { ids: readonly number[] } | OwnSearch;
  /** Leads, or the LIKE patterns that their search text holds. */
  leads: { ids: readonly string[]; numbers: readonly string[] } | { patterns: readonly string[] } | null;
}

export interface OwnSearch {
  /** Digits somewhere in the number. */
  digits: string | null;
  /** LIKE patterns, all of which the folded note holds. */
  notePatterns: readonly string[];
}

/** The calls by the trigram indexes, which need three characters; null where they do not help, or more than `most` are found. */
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
  /** Only calls before this one. */
  before: string | undefined;
  filter: CallFilter;
}

const isBefore = (callSid: string) => sql<boolean>`calls.id < (select id from calls where call_sid = ${callSid})`;

/** Of the page's next `most` calls, whatever they are, those that the search is about; whole where no others follow. */
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

/** What its people say about a call; unlike a CallChange it may come at any time. */
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
  // Raised even where only the day to call back changes, which stands elsewhere: what tabs show of the call is news.
  await tx
    .updateTable("calls")
    .set({ ...set, revision: sql<number>`revision + 1` })
    .where("call_sid", "=", callSid)
    .execute();
}

/** Of a call that has ended; null where there is none. Without a reason only its revision grows: what is told with it has changed. */
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

/** At most so many; answers how many. */
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
