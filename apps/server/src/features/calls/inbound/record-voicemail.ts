import type { HangUpCause } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import type { Tx } from "../../../db/transaction.ts";
import { publishLiveEvent } from "../../live-events/publish-live-event.ts";
import { toCall } from "../call-deps.ts";
import { changeReason } from "../log/call-log.table.ts";
import { changeCall, type StoredCall } from "../calls.table.ts";
import type { OpenCarriers } from "../../carriers/open-carriers.ts";

/** Ends a ringing call for the members, while voicemail continues with its caller. Returns null if it no longer rings. */
export async function endInVoicemail(tx: Tx, carriers: OpenCarriers, callSid: string): Promise<Call | null> {
  const cause = { reason: "in-voicemail", sip: null, q850: null } as const;
  const ended = { cause, durationMs: 0, agoMs: 0 };
  return publishChanged(tx, carriers, await changeCall(tx, callSid, ["ringing"], { status: "no-answer", ended }));
}

/** Stores and publishes what became of a call's message. A reason replaces `in-voicemail`. */
export const recordVoicemail = async (
  tx: Tx,
  carriers: OpenCarriers,
  callSid: string,
  reason?: HangUpCause["reason"],
): Promise<Call | null> => publishChanged(tx, carriers, await changeReason(tx, callSid, reason));

async function publishChanged(tx: Tx, carriers: OpenCarriers, stored: StoredCall | null): Promise<Call | null> {
  if (!stored) return null;
  const call = toCall(carriers, stored);
  await publishLiveEvent(tx, { organisationId: stored.organisationId, type: "call.updated", data: call });
  return call;
}
