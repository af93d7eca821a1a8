import type { CallRate } from "@leadline/contract/rates";
import type { Tx } from "../../../db/transaction.ts";
import { callColumns, callLookedUp, selectCalls, type StoredCall, toStoredCall } from "../calls.table.ts";
import { marginOf } from "../calls-as-stored.table.ts";
import { onlyLeadWithNumber } from "../log/leads-of-call.table.ts";

export interface NewCall {
  callSid: string;
  organisationId: string;
  userId: string;
  phoneNumber: string;
  phoneNumberTyped: string;
  /** The teammate's name, if a teammate is called instead of a number. */
  callerId?: string;
  ringsFor?: string;
  leadId: string | null;
  carrier: string;
  /** The organisation's own carrier. Null: the installation's. */
  connection: { id: string; channels?: number | null } | null;
  processKey: number;
  mediaConnectionId: string | null;
  line: 1 | 2;
  muted: boolean;
  idempotencyKey: string | null;
  requestHash: string | null;
  hoursOverride?: string | null;
}

/** With the call's rate (null: free of charge) and the number that the callee sees (null: the provider chooses). */
export type PricedCall = NewCall & { rate: CallRate | null; shownNumber: string | null };

/**
 * Returns null if the person already has a live call on that line, or the idempotency key is taken. The caller finds
 * out which.
 */
export async function insertCall(tx: Tx, call: PricedCall): Promise<StoredCall | null> {
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
          caller_id: call.callerId ?? null,
          shown_number: call.shownNumber,
          rings_for: call.ringsFor ?? null,
          lead_id: call.leadId ?? onlyLeadWithNumber(call),
          carrier: call.carrier,
          carrier_connection_id: call.connection?.id ?? null,
          // If the trunk's lines are counted, the call takes one before it is dialled.
          has_line: typeof call.connection?.channels !== "number",
          margin_percent: marginOf(call.connection?.id ?? null),
          rate: call.rate && JSON.stringify(call.rate),
          process_key: call.processKey,
          media_connection_id: call.mediaConnectionId,
          line: call.line,
          muted: call.muted,
          joined_with: null,
          idempotency_key: call.idempotencyKey,
          request_hash: call.requestHash,
          hours_override: call.hoursOverride ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll(),
    )
    .selectFrom("inserted as calls")
    .leftJoin("users", "users.id", "calls.user_id")
    .leftJoin("call_outcomes", "call_outcomes.id", "calls.outcome_id")
    .select(callColumns)
    .select(callLookedUp)
    .executeTakeFirst();
  return row ? toStoredCall(row) : null;
}

/** The previous carrier couldn't place the call. */
export async function moveToCarrier(
  tx: Tx,
  call: Pick<PricedCall, "callSid" | "organisationId" | "rate" | "shownNumber"> & {
    connection: NonNullable<NewCall["connection"]>;
    /** What the previous carrier reported. Null if nothing. */
    refusal: string | null;
  },
): Promise<void> {
  await tx
    .updateTable("calls")
    .set({
      carrier_connection_id: call.connection.id,
      margin_percent: marginOf(call.connection.id),
      rate: call.rate && JSON.stringify(call.rate),
      shown_number: call.shownNumber,
      has_line: typeof call.connection.channels !== "number",
      refusal: call.refusal,
    })
    .where("organisation_id", "=", call.organisationId)
    .where("call_sid", "=", call.callSid)
    .where("ended_at", "is", null)
    .execute();
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
