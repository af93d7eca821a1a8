import type { Tx } from "../../db/transaction.ts";

export interface CarrierLegTable {
  organisation_id: string;
  connection_id: string;
  /** The carrier's identifier of the call, from its SIP headers. */
  carrier_call_id: string;
  call_sid: string;
}

/** Stores the carrier's identifier for its leg of the call. Each identifier is stored once. */
export async function insertCarrierLeg(
  tx: Tx,
  leg: { organisationId: string; connectionId: string; carrierCallId: string; callSid: string },
): Promise<void> {
  await tx
    .insertInto("carrier_legs")
    .values({
      organisation_id: leg.organisationId,
      connection_id: leg.connectionId,
      carrier_call_id: leg.carrierCallId,
      call_sid: leg.callSid,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
