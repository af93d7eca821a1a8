import type { CallStatus, HangUpCause } from "@leadline/contract/call-state";
import { liveStatuses } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { sql, type Generated, type GeneratedAlways, type Selectable } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface CallTable {
  /** Grows with time: the key that lists page by. */
  id: GeneratedAlways<number>;
  call_sid: string;
  revision: Generated<number>;
  organisation_id: string;
  user_id: string;
  direction: Call["direction"];
  status: CallStatus;
  /** E.164. */
  phone_number: string;
  /** As the person typed it. */
  phone_number_typed: string;
  carrier: string;
  created_at: Generated<string>;
  answered_at: string | null;
  ended_at: string | null;
  duration_ms: Generated<number>;
  reason: HangUpCause["reason"] | null;
  sip: number | null;
  q850: number | null;
  muted: Generated<boolean>;
  held: Generated<boolean>;
  media_connection_id: string | null;
  /** The process that carries the call (mark-process-alive.ts). */
  process_key: number;
  /** When that process last said so; what a restart takes for the end. */
  seen_at: Generated<string>;
  idempotency_key: string | null;
  request_hash: string | null;
}

type CallRow = Omit<
  Selectable<CallTable>,
  "request_hash" | "idempotency_key" | "process_key" | "seen_at" | "phone_number_typed"
> & {
  first_name: string | null;
  last_name: string | null;
};

const columns = [
  "calls.id",
  "calls.call_sid",
  "calls.revision",
  "calls.organisation_id",
  "calls.user_id",
  "calls.direction",
  "calls.status",
  "calls.phone_number",
  "calls.carrier",
  "calls.created_at",
  "calls.answered_at",
  "calls.ended_at",
  "calls.duration_ms",
  "calls.reason",
  "calls.sip",
  "calls.q850",
  "calls.muted",
  "calls.held",
  "calls.media_connection_id",
  "users.first_name",
  "users.last_name",
] as const;

const selectCalls = (tx: Tx) => tx.selectFrom("calls").leftJoin("users", "users.id", "calls.user_id").select(columns);

/** A call as the table knows it; what its carrier can do is added by the caller. */
export type StoredCall = Omit<Call, "canHold"> & { organisationId: string };

function toStoredCall(row: CallRow): StoredCall {
  return {
    callSid: row.call_sid,
    revision: row.revision,
    organisationId: row.organisation_id,
    direction: row.direction,
    status: row.status,
    phoneNumber: row.phone_number,
    userId: row.user_id,
    // A person who left the organisation is no longer visible to it.
    userName: row.first_name === null ? "Former member" : `${row.first_name} ${row.last_name}`,
    carrier: row.carrier,
    createdAt: row.created_at,
    answeredAt: row.answered_at,
    endedAt: row.ended_at,
    durationMs: row.duration_ms,
    cause: row.reason === null ? null : { reason: row.reason, sip: row.sip, q850: row.q850 },
    muted: row.muted,
    held: row.held,
    mediaConnectionId: row.media_connection_id,
  };
}

export interface NewCall {
  callSid: string;
  organisationId: string;
  userId: string;
  phoneNumber: string;
  phoneNumberTyped: string;
  carrier: string;
  processKey: number;
  mediaConnectionId: string | null;
  idempotencyKey: string | null;
  requestHash: string | null;
}

/** Null where the person has a live call already, or the idempotency key is taken: which of the two, the caller looks up. */
export async function insertCall(tx: Tx, call: NewCall): Promise<StoredCall | null> {
  const row = await tx
    .with("inserted", (db) =>
      db
        .insertInto("calls")
        .values({
          call_sid: call.callSid,
          organisation_id: call.organisationId,
          user_id: call.userId,
          direction: "outbound",
          status: "queued",
          phone_number: call.phoneNumber,
          phone_number_typed: call.phoneNumberTyped,
          carrier: call.carrier,
          process_key: call.processKey,
          media_connection_id: call.mediaConnectionId,
          idempotency_key: call.idempotencyKey,
          request_hash: call.requestHash,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll(),
    )
    .selectFrom("inserted as calls")
    .leftJoin("users", "users.id", "calls.user_id")
    .select(columns)
    .executeTakeFirst();
  return row ? toStoredCall(row) : null;
}

export async function findCall(tx: Tx, callSid: string): Promise<StoredCall | null> {
  const row = await selectCalls(tx).where("call_sid", "=", callSid).executeTakeFirst();
  return row ? toStoredCall(row) : null;
}

export async function findCallByIdempotencyKey(
  tx: Tx,
  userId: string,
  idempotencyKey: string,
): Promise<{ call: StoredCall; requestHash: string | null } | null> {
  const row = await selectCalls(tx)
    .select("calls.request_hash")
    .where("calls.user_id", "=", userId)
    .where("calls.idempotency_key", "=", idempotencyKey)
    .executeTakeFirst();
  return row ? { call: toStoredCall(row), requestHash: row.request_hash } : null;
}

export interface CallChange {
  status?: CallStatus;
  /** agoMs: how long before this write it happened. */
  answered?: { agoMs: number };
  ended?: { cause: HangUpCause; durationMs: number; agoMs: number };
  muted?: boolean;
  held?: boolean;
  mediaConnectionId?: string | null;
}

const momentAgo = (ms: number) => sql<string>`clock_timestamp() - ${Math.round(ms)} * interval '1 millisecond'`;

/** Changes the call where its status is still one of `from`; null where it is not. */
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
          ...(change.status && { status: change.status }),
          ...(change.answered && { answered_at: momentAgo(change.answered.agoMs) }),
          ...(change.ended && {
            ended_at: momentAgo(change.ended.agoMs),
            duration_ms: change.ended.durationMs,
            reason: change.ended.cause.reason,
            sip: change.ended.cause.sip,
            q850: change.ended.cause.q850,
            held: false,
            media_connection_id: null,
          }),
          ...(change.muted !== undefined && { muted: change.muted }),
          ...(change.held !== undefined && { held: change.held }),
          ...(change.mediaConnectionId !== undefined && { media_connection_id: change.mediaConnectionId }),
        })
        .where("call_sid", "=", callSid)
        .where("status", "in", from)
        .returningAll(),
    )
    .selectFrom("changed as calls")
    .leftJoin("users", "users.id", "calls.user_id")
    .select(columns)
    .executeTakeFirst();
  return row ? toStoredCall(row) : null;
}

/** Newest first, before the given call. */
export async function listCalls(
  tx: Tx,
  page: { organisationId: string; limit: number; before: string | undefined; live: boolean | undefined },
): Promise<StoredCall[]> {
  const { organisationId, limit, before, live } = page;
  const rows = await selectCalls(tx)
    .where("calls.organisation_id", "=", organisationId)
    .$if(live !== undefined, (query) => query.where("status", live ? "in" : "not in", liveStatuses))
    .$if(before !== undefined, (query) =>
      query.where("calls.id", "<", (inner) =>
        inner
          .selectFrom("calls as earlier")
          .select("earlier.id")
          .where("earlier.call_sid", "=", before ?? ""),
      ),
    )
    .orderBy("calls.id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toStoredCall);
}

export async function hasLiveCall(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("calls")
    .select("call_sid")
    .where("user_id", "=", userId)
    .where("status", "in", liveStatuses)
    .executeTakeFirst();
  return row !== undefined;
}
