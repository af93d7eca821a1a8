import type { FlagChange } from "@leadline/contract/call-flags";
import type { CallStatus, HangUpCause } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import type { FollowUpFields } from "@leadline/contract/follow-up-fields";
import { sql, type Selectable } from "kysely";
import { costAfter } from "../../db/cost-of-call.ts";
import { personName } from "../../db/person-name.ts";
import type { Tx } from "../../db/transaction.ts";
import { type CallTable, flagColumns, toFlagColumns, toFlags } from "./calls-as-stored.table.ts";
import { lastTransferOfCall } from "./call-transfers.table.ts";
import { followUpOfCall, leadsOfCall } from "./log/leads-of-call.table.ts";
import { voicemailOfCall } from "./log/voicemail-of-call.table.ts";
import { activityOfCall } from "./log/activity-of-call.table.ts";

const callJoinedWith = sql<Call["joinedWith"]>`(
  select json_build_object('callSid', joined.call_sid, 'phoneNumber', joined.phone_number,
    'callerId', joined.caller_id)
  from calls as joined where joined.call_sid = calls.joined_with)`;

type CallRow = Omit<
  Selectable<CallTable>,
  | "note_search"
  | "request_hash"
  | "idempotency_key"
  | "process_key"
  | "remembered"
  | "seen_at"
  | "resumed_unseen"
  | "phone_number_typed"
  | "joined_with"
  | "carrier_connection_id"
  | "margin_percent"
  | "has_line"
  | "logged_for"
  | "was_logged"
  | "erased_at"
> & {
  first_name: string | null;
  last_name: string | null;
  outcome_name: string | null;
  transfer: Call["transfer"];
  joined: Call["joinedWith"];
  leads: Call["leads"] | null;
  follow_up: FollowUpFields | null;
  voicemail: Call["voicemail"];
  activity: Call["activity"];
};

export const callColumns = [
  "calls.id",
  "calls.call_sid",
  "calls.revision",
  "calls.organisation_id",
  "calls.user_id",
  "calls.direction",
  "calls.status",
  "calls.phone_number",
  "calls.called_number",
  "calls.caller_id",
  "calls.shown_number",
  "calls.caller_verified",
  "calls.caller_verification",
  "calls.forwarded_by",
  "calls.rings_for",
  "calls.carrier",
  "calls.created_at",
  "calls.answered_at",
  "calls.ended_at",
  "calls.duration_ms",
  "calls.reason",
  "calls.sip",
  "calls.q850",
  "calls.held",
  "calls.held_by_them",
  "calls.media_connection_id",
  "calls.line",
  "calls.waits_for",
  "calls.refusal",
  "calls.cut_off_at",
  "calls.cut_off_reason",
  "calls.setup_ms",
  "calls.rate",
  "calls.cost_micros",
  "calls.hours_override",
  "calls.note",
  "calls.outcome_id",
  "calls.lead_id",
  "call_outcomes.name as outcome_name",
  "users.first_name",
  "users.last_name",
  ...flagColumns.map((column) => `calls.${column}` as const),
] as const;

export const callLookedUp = [
  lastTransferOfCall.as("transfer"),
  callJoinedWith.as("joined"),
  leadsOfCall.as("leads"),
  followUpOfCall.as("follow_up"),
  voicemailOfCall.as("voicemail"),
  activityOfCall.as("activity"),
] as const;

export const selectCalls = (tx: Tx) =>
  tx
    .selectFrom("calls")
    .leftJoin("users", "users.id", "calls.user_id")
    .leftJoin("call_outcomes", "call_outcomes.id", "calls.outcome_id")
    .select(callColumns)
    .select(callLookedUp);

/** A call as stored. The caller adds what its carrier is capable of. */
export type StoredCall = Omit<Call, "canHold" | "canTransfer"> & { organisationId: string; leadId: string | null };

export function toStoredCall(row: CallRow): StoredCall {
  return {
    callSid: row.call_sid,
    revision: row.revision,
    organisationId: row.organisation_id,
    direction: row.direction,
    status: row.status,
    phoneNumber: row.phone_number,
    callerId: row.caller_id,
    shownNumber: row.shown_number,
    callerVerified: row.caller_verified,
    callerVerification: row.caller_verification,
    forwardedBy: row.forwarded_by,
    ringsFor: row.rings_for,
    calledNumber: row.called_number,
    userId: row.user_id,
    userName: row.user_id === null ? "" : personName(row),
    carrier: row.carrier,
    createdAt: row.created_at,
    answeredAt: row.answered_at,
    endedAt: row.ended_at,
    durationMs: row.duration_ms,
    cause: row.reason === null ? null : { reason: row.reason, sip: row.sip, q850: row.q850 },
    ...toFlags(row),
    held: row.held,
    heldByThem: row.held_by_them,
    waitsFor: row.waits_for,
    refusal: row.refusal,
    line: row.ended_at === null && row.user_id !== null ? row.line : null,
    joinedWith: row.joined,
    cutOff:
      row.cut_off_at === null || row.cut_off_reason === null
        ? null
        : { at: row.cut_off_at, reason: row.cut_off_reason },
    transfer: row.transfer,
    mediaConnectionId: row.media_connection_id,
    setupMs: row.setup_ms,
    rate: row.rate,
    costMicros: row.cost_micros,
    hoursOverride: row.hours_override,
    note: row.note,
    outcome: row.outcome_id === null ? null : { id: row.outcome_id, name: row.outcome_name ?? "" },
    leadId: row.lead_id,
    leads: row.leads ?? [],
    ...(row.follow_up ?? { followUpOn: null, followUpTime: null, followUpOwner: null }),
    voicemail: row.voicemail,
    activity: row.activity,
  };
}

export async function findCall(tx: Tx, callSid: string): Promise<StoredCall | null> {
  const row = await selectCalls(tx).where("call_sid", "=", callSid).executeTakeFirst();
  return row ? toStoredCall(row) : null;
}

export interface CallChange extends FlagChange {
  /** Set when a teammate takes the call over. */
  userId?: string;
  status?: CallStatus;
  /** agoMs: how long before this write the answer happened. */
  answered?: { agoMs: number; setupMs: number };
  /** `seen`: by this process, so that the duration is right even after a restart. */
  ended?: { cause: HangUpCause; durationMs: number; agoMs: number; refusal?: string | null; seen?: boolean };
  waitsFor?: string | null;
  callerId?: string;
  /** Why a transfer was requested outside the hours. Added to the reasons that the call already has. */
  transferOverride?: string;
  held?: boolean;
  heldByThem?: boolean;
  cutOff?: { inMs: number; reason: NonNullable<Call["cutOff"]>["reason"] } | null;
  mediaConnectionId?: string | null;
  line?: 1 | null;
  /** A callSid. */
  joinedWith?: string | null;
}

/** What only a live call has. */
export const endedFields = {
  waits_for: null,
  held: false,
  held_by_them: false,
  remembered: null,
  media_connection_id: null,
  cut_off_at: null,
  cut_off_reason: null,
} as const;

const momentAgo = (ms: number) => sql<string>`clock_timestamp() - ${Math.round(ms)} * interval '1 millisecond'`;

/** Changes the call if its status is still one of `from`. Returns null otherwise. */
export async function changeCall(
  tx: Tx,
  callSid: string,
  from: readonly CallStatus[],
  change: CallChange,
): Promise<StoredCall | null> {
  const row = await tx
    .with("changed", (db) =>
      db
        .updateTable("calls")
        .set({
          revision: sql<number>`revision + 1`,
          ...(change.userId !== undefined && { user_id: change.userId }),
          ...(change.status && { status: change.status }),
          ...(change.answered && {
            answered_at: momentAgo(change.answered.agoMs),
            setup_ms: change.answered.setupMs,
          }),
          ...(change.ended && {
            ended_at: momentAgo(change.ended.agoMs),
            duration_ms: change.ended.durationMs,
            cost_micros: costAfter(change.ended.durationMs),
            reason: change.ended.cause.reason,
            sip: change.ended.cause.sip,
            q850: change.ended.cause.q850,
            refusal: change.ended.refusal ?? null,
            ...endedFields,
          }),
          ...(change.ended?.seen && { resumed_unseen: false }),
          ...(change.cutOff !== undefined && {
            cut_off_at: change.cutOff && momentAgo(-change.cutOff.inMs),
            cut_off_reason: change.cutOff?.reason ?? null,
          }),
          ...(change.callerId !== undefined && { caller_id: change.callerId }),
          ...(change.transferOverride !== undefined && {
            hours_override: sql<string>`concat_ws('; ', hours_override, ${`transfer: ${change.transferOverride}`}::text)`,
          }),
          ...toFlagColumns(change),
          ...(change.held !== undefined && { held: change.held }),
          ...(change.waitsFor !== undefined && { waits_for: change.waitsFor }),
          ...(change.heldByThem !== undefined && { held_by_them: change.heldByThem }),
          ...(change.line !== undefined && { line: change.line }),
          ...(change.joinedWith !== undefined && { joined_with: change.joinedWith }),
          ...(change.mediaConnectionId !== undefined && { media_connection_id: change.mediaConnectionId }),
        })
        .where("call_sid", "=", callSid)
        .where("status", "in", from)
        .returningAll(),
    )
    .selectFrom("changed as calls")
    .leftJoin("users", "users.id", "calls.user_id")
    .leftJoin("call_outcomes", "call_outcomes.id", "calls.outcome_id")
    .select(callColumns)
    .select(callLookedUp)
    .executeTakeFirst();
  return row ? toStoredCall(row) : null;
}
