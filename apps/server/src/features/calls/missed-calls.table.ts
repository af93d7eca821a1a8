import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface MissedCall {
  callSid: string;
  organisationId: string;
  /** E.164 of the caller. */
  phoneNumber: string;
  carrier: string;
  processKey: number;
}

/** Over as soon as it is written, and nobody's. It is with the lead that has the number, if it is one. */
export async function insertMissedCall(tx: Tx, call: MissedCall): Promise<void> {
  const { callSid, organisationId, phoneNumber, carrier, processKey } = call;
  await tx
    .insertInto("calls")
    .values({
      call_sid: callSid,
      organisation_id: organisationId,
      user_id: null,
      direction: "inbound",
      status: "no-answer",
      phone_number: phoneNumber,
      phone_number_typed: phoneNumber,
      lead_id: sql<string | null>`(
        select (array_agg(id))[1] from leads
        where leads.organisation_id = ${organisationId} and leads.phone_number = ${phoneNumber} having count(*) = 1)`,
      carrier,
      process_key: processKey,
      ended_at: sql<string>`clock_timestamp()`,
      reason: "no-answer",
      sip: 480,
      q850: 19,
    })
    .execute();
}
