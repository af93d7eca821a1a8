import type { CallStatus, HangUpCause } from "@leadline/contract/call-state";
import { type CallerVerification, confirmsNumber } from "@leadline/contract/caller-verification";
import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";
import { marginOf } from "../calls-as-stored.table.ts";
import { findCall, type StoredCall } from "../calls.table.ts";

export interface InboundCallRow {
  callSid: string;
  organisationId: string;
  /** The caller, in E.164. Empty if it is withheld or no phone number. */
  phoneNumber: string;
  callerId: string | null;
  calledNumber: string | null;
  callerVerification: CallerVerification | null;
  /** E.164, or as the carrier wrote it. */
  forwardedBy: string | null;
  /** The only teammate for whom it rings. Null: everyone. */
  ringsFor: string | null;
  carrier: string;
  /** Null: the installation's carrier. */
  connectionId: string | null;
  processKey: number;
}

/** Stores an inbound call, ringing or already over, unassigned. It is linked to a lead if exactly one has the number. */
export async function insertInboundCall(
  tx: Tx,
  call: InboundCallRow,
  missed: { status: CallStatus; cause: HangUpCause } | null,
): Promise<StoredCall | null> {
  const { callSid, organisationId, phoneNumber, callerId, calledNumber, carrier, connectionId, processKey } = call;
  const { callerVerification } = call;
  await tx
    .insertInto("calls")
    .values({
      call_sid: callSid,
      organisation_id: organisationId,
      user_id: null,
      direction: "inbound",
      phone_number: phoneNumber,
      phone_number_typed: phoneNumber,
      called_number: calledNumber,
      caller_id: callerId,
      caller_verified: callerVerification && confirmsNumber(callerVerification),
      caller_verification: callerVerification,
      forwarded_by: call.forwardedBy,
      rings_for: call.ringsFor,
      lead_id: sql<string | null>`(
        select (array_agg(id))[1] from leads
        where leads.organisation_id = ${organisationId} and leads.phone_number = nullif(${phoneNumber}, '')
        having count(*) = 1)`,
      carrier,
      carrier_connection_id: connectionId,
      margin_percent: marginOf(connectionId),
      process_key: processKey,
      ...(missed
        ? { status: missed.status, ended_at: sql<string>`clock_timestamp()`, ...missed.cause }
        : { status: "ringing" }),
    })
    .execute();
  return findCall(tx, callSid);
}

/** Assigns the call to the person. Returns null if it no longer rings, or the person has another live call. */
export async function takeRingingCall(
  tx: Tx,
  taken: { callSid: string; userId: string; mediaConnectionId: string },
): Promise<StoredCall | null> {
  const changed = await tx
    .updateTable("calls")
    .set({
      user_id: taken.userId,
      media_connection_id: taken.mediaConnectionId,
      revision: sql<number>`revision + 1`,
    })
    .where("call_sid", "=", taken.callSid)
    .where("status", "=", "ringing")
    .where("user_id", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("calls as own")
            .select("own.call_sid")
            .where("own.user_id", "=", taken.userId)
            .where("own.line", "is not", null)
            .where("own.ended_at", "is", null),
        ),
      ),
    )
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n ? findCall(tx, taken.callSid) : null;
}
