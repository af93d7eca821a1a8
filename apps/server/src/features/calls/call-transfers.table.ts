import {
  type CallTransfer,
  type TransferRefusal,
  type TransferStatus,
  transferStatusesBefore,
} from "@leadline/contract/call-transfer";
import { sql, type Generated, type GeneratedAlways } from "kysely";
import { formerMember } from "../../db/person-name.ts";
import type { Tx } from "../../db/transaction.ts";
import { leadsOfTransfer } from "./log/leads-of-call.table.ts";

export interface CallTransferTable {
  /** Grows with time. A call's latest transfer has the greatest. */
  id: GeneratedAlways<number>;
  organisation_id: string;
  call_sid: string;
  /** E.164. Empty if the transfer goes to a teammate. */
  phone_number: string;
  /** As the person typed it. */
  phone_number_typed: string;
  /** Attended: the person talked with the target first, in a separate call. */
  attended: Generated<boolean>;
  /** Leadline dials the target itself, as a call of its own. */
  bridged: Generated<boolean>;
  /** The lead that the person chose. Null if none was chosen or it was deleted. */
  lead_id: string | null;
  /** The teammate it is sent to. Null if it goes to a number. */
  member_id: string | null;
  status: Generated<TransferStatus>;
  refusal: TransferRefusal | null;
  sip: number | null;
  asked_at: Generated<string>;
}

export const lastTransferOfCall = sql<CallTransfer | null>`(
  select json_build_object('phoneNumber', phone_number, 'attended', attended, 'status', status, 'refusal', refusal, 'sip', sip,
    'leads', coalesce(${leadsOfTransfer}, '[]'::json),
    'member', case when member_id is not null then json_build_object('userId', member_id, 'name', coalesce(
      (select first_name || ' ' || last_name from users where users.id = member_id), ${sql.lit(formerMember)})) end)
  from call_transfers where call_transfers.call_sid = calls.call_sid
  order by id desc limit 1)`;

export interface NewTransfer {
  organisationId: string;
  callSid: string;
  phoneNumber: string;
  phoneNumberTyped: string;
  leadId: string | null;
  memberId?: string;
  bridged?: boolean;
}

export async function insertTransfer(tx: Tx, transfer: NewTransfer): Promise<void> {
  await tx
    .insertInto("call_transfers")
    .values({
      organisation_id: transfer.organisationId,
      call_sid: transfer.callSid,
      phone_number: transfer.phoneNumber,
      phone_number_typed: transfer.phoneNumberTyped,
      lead_id: transfer.leadId,
      member_id: transfer.memberId ?? null,
      bridged: transfer.bridged ?? false,
      refusal: null,
      sip: null,
    })
    .execute();
}

/** Stores a transfer whose far ends were bridged here, which is complete at once. */
export async function insertAttendedTransfer(tx: Tx, ofCall: string, toCall: string): Promise<void> {
  await sql`
    insert into call_transfers (organisation_id, call_sid, phone_number, phone_number_typed, lead_id, member_id, attended, status)
    select organisation_id, ${ofCall}, phone_number, phone_number_typed, lead_id, rings_for, true, 'taken'
    from calls where call_sid = ${toCall}`.execute(tx);
}

export type TransferChange =
  | { status: "ringing" | "taken" | "unknown" }
  | { status: "refused"; refusal: TransferRefusal; sip: number | null };

export const neverAsked = { status: "refused", refusal: "unanswered", sip: null } as const satisfies TransferChange;

/** If Leadline dialled the target itself and never joined the two calls, the transfer failed for certain. */
const unknownUnlessOurs = {
  status: sql<TransferStatus>`case when bridged then 'refused' else 'unknown' end`,
  refusal: sql<TransferRefusal | null>`case when bridged then 'unanswered' end`,
};

/** Moves the call's latest transfer to a new state if its current one allows that. Returns whether it did. */
export async function moveLastTransfer(tx: Tx, callSid: string, change: TransferChange): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("call_transfers")
    .set(change.status === "unknown" ? unknownUnlessOurs : change)
    .where("id", "=", (row) =>
      row.selectFrom("call_transfers").select(row.fn.max("id").as("id")).where("call_sid", "=", callSid),
    )
    .where("status", "in", transferStatusesBefore(change.status))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
