import type { Call } from "@leadline/contract/calls";
import { isLive } from "@leadline/contract/call-state";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { publishLiveEvent } from "../../live-events/publish-live-event.ts";
import { type CallDeps, toCall } from "../call-deps.ts";
import { insertTransfer } from "../call-transfers.table.ts";
import { changeCall } from "../calls.table.ts";
import { applyRoom } from "../in-call/apply-room.ts";
import { endCall, hungUpHere } from "../in-call/end-call.ts";
import { findOwnLiveCall, transferUnderWay } from "../in-call/find-own-live-call.ts";
import { callTaken } from "../inbound/find-ringing-call.ts";
import { followTransfer } from "../in-call/follow-transfer.ts";
import { awaitAnswer, giveBack } from "../in-call/sent-call.ts";
import type { LiveCall, LiveTransfer } from "../live-calls.ts";
import { refuseUnlessAlone } from "./transfer-call.ts";
import { refuseUnavailable } from "../inbound/teammate-availability.ts";

interface TransferToTeammate {
  caller: Member;
  callSid: string;
  userId: string;
}

/**
 * Rings in a teammate's tabs while the far end is on hold. No carrier is involved: the call's far leg moves to the
 * teammate's browser.
 */
export async function transferToTeammate(deps: CallDeps, asked: TransferToTeammate): Promise<Call> {
  const { caller, callSid, userId } = asked;
  const live = await findOwnLiveCall(deps, { caller, callSid });
  refuseUnlessAlone(deps, live);
  if (live.transfer?.underWay) throw transferUnderWay();
  await refuseUnavailable(deps, { organisationId: live.organisationId, userId, own: live.userId });
  if (live.transfer?.underWay) throw transferUnderWay();
  const transfer: LiveTransfer = { holds: false, underWay: true, sentToCarrier: false, memberId: userId };
  live.transfer = transfer;
  const call = await live
    .inOrder(() => writeTransfer(deps, live, userId))
    .catch((error: unknown) => {
      transfer.underWay = false;
      throw error;
    });
  transfer.holds = deps.carriers.capabilities(live.carrierId).hold && !call.held;
  void ring(deps, live, transfer);
  return call;
}

function writeTransfer(deps: CallDeps, live: LiveCall, memberId: string): Promise<Call> {
  const { organisationId, userId, callSid } = live;
  return deps.database.withTransaction({ organisationId, userId }, async (tx) => {
    await insertTransfer(tx, {
      organisationId,
      callSid,
      phoneNumber: "",
      phoneNumberTyped: "",
      leadId: null,
      memberId,
    });
    const stored = await changeCall(tx, callSid, ["in-progress"], {});
    if (!stored) throw new Problem("call-ended", "This call has ended.");
    const call = toCall(deps.carriers, stored);
    await publishLiveEvent(tx, { organisationId, type: "call.updated", data: call });
    return call;
  });
}

async function ring(deps: CallDeps, live: LiveCall, transfer: LiveTransfer): Promise<void> {
  try {
    if (transfer.holds) {
      await applyRoom(deps, live);
      if (transfer.underWay) await live.leg?.setHold?.(true);
    }
    if (!transfer.underWay || !isLive(live.status)) return;
    await followTransfer(deps, live, { transfer, event: { type: "ringing" } });
    if (transfer.underWay) awaitAnswer(deps, live, transfer);
  } catch (error) {
    deps.log.error({ err: error, callSid: live.callSid }, "a transfer to a teammate could not ring");
    giveBack(deps, { live, transfer }, "network-failure");
  }
}

/** The sender cancels the transfer. */
export async function takeBackCall(deps: CallDeps, asked: { caller: Member; callSid: string }): Promise<void> {
  const live = await findOwnLiveCall(deps, asked);
  const { transfer } = live;
  if (!transfer?.underWay) return;
  if (transfer.secondCall) {
    await endCall(deps, transfer.secondCall, hungUpHere(transfer.secondCall));
    return;
  }
  if (transfer.memberId === null)
    throw new Problem("not-supported", "Your carrier is already transferring this call, so it can’t be cancelled.");
  if (transfer.accepting) throw callTaken();
  giveBack(deps, { live, transfer }, "taken-back");
}
