import type { consultInCall as endpoint } from "@leadline/contract/transfers";
import type { ResponseOf } from "@leadline/contract/endpoint";
import { isLive } from "@leadline/contract/call-state";
import { teammateCarrier } from "@leadline/contract/transfers";
import type { Tx } from "../../../db/transaction.ts";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import type { CallDeps } from "../call-deps.ts";
import { changeCall, type StoredCall } from "../calls.table.ts";
import { changeLiveCall } from "../in-call/change-live-call.ts";
import { dialCall } from "../outbound/dial-call.ts";
import { endCall, hungUpHere } from "../in-call/end-call.ts";
import { findCarrier } from "../outbound/find-carrier.ts";
import { findOwnLiveCall, transferUnderWay } from "../in-call/find-own-live-call.ts";
import type { CallFollower, LiveCall, LiveTransfer } from "../live-calls.ts";
import { newCallSid } from "../new-call-sid.ts";
import { readDialledNumber } from "../outbound/read-dialled-number.ts";
import { refuseOwnNumber } from "../outbound/refuse-own-number.ts";
import { saveForRestart } from "../snapshots/save-for-restart.ts";
import { findTeammateCarrier } from "../inbound/ring-teammate.ts";
import { changeAudio } from "../in-call/apply-room.ts";
import { signalHold } from "../in-call/signal-hold.ts";
import { reportUnchangedAudio } from "../in-call/report-unchanged-audio.ts";
import { insertTransfer, neverAsked } from "../call-transfers.table.ts";
import { orReportDelay, retryWrite } from "../retry-write.ts";
import { recordOutboundCall } from "../outbound/record-outbound-call.ts";

interface ConsultInCall {
  caller: Member;
  callSid: string;
  /** phoneNumber is as the person typed it. Give either that or a teammate's userId. */
  body: {
    phoneNumber?: string | undefined;
    leadId?: string | undefined;
    userId?: string | undefined;
    /** What the callee sees. */
    callerId?: string | undefined;
    askWhenClosed?: boolean | undefined;
    outsideHoursReason?: string | undefined;
  };
  /** A transfer of the first call, which the second call carries out. */
  carriesOut?: { transfer: LiveTransfer; follower: CallFollower };
}

/** Starts a call on the person's second line and puts the answered first call on hold. */
export async function consultInCall(
  deps: CallDeps,
  { caller, callSid, body, carriesOut }: ConsultInCall,
): Promise<ResponseOf<typeof endpoint>> {
  const startedAtMs = performance.now();
  const first = await findOwnLiveCall(deps, { caller, callSid });
  refuseUnlessTalking(deps, first);
  if (carriesOut) first.transfer = carriesOut.transfer;
  const { organisationId, userId, muted } = first;
  const { via, teammateEntry, ...callee } = await findCallee(deps, { caller, callSid, body });
  const { phoneNumber, carrier: carrierId } = callee;
  await orReportDelay(deps.liveCalls.cleanedUp(userId), "Your last call is still ending. Try again.");
  const call = {
    callSid: newCallSid(),
    organisationId,
    userId,
    ...callee,
    leadId: body.leadId ?? null,
    processKey: deps.processKey,
    mediaConnectionId: first.connection?.id ?? null,
    line: 2 as const,
    muted,
    idempotencyKey: null,
    requestHash: null,
  };
  const writeHoldAsItIs = () =>
    first.inOrder(() =>
      changeLiveCall(deps, first, { held: first.hold !== "off", ...(carriesOut && { transfer: neverAsked }) }),
    );
  // Pending writes of the first call come first.
  const { carrierLeg, callerId, verifiedNumbers, lacksNumber, paidForMs } = await first.inOrder(() =>
    recordOutboundCall(deps, call, {
      browserLegId: first.connection?.legId,
      via,
      chosenCallerId: body.userId === undefined ? body.callerId : undefined,
      lineInUse: bothLinesInUse,
      askWhenClosed: body.askWhenClosed,
      outsideHoursReason: body.outsideHoursReason,
      before: async (tx) => {
        if (carriesOut) await insertTransfer(tx, { ...call, callSid, bridged: true });
        return writeHold(tx, first, phoneNumber);
      },
      undo: writeHoldAsItIs,
    }),
  );
  const live = deps.liveCalls.begin({
    callSid: call.callSid,
    organisationId,
    userId,
    carrierId,
    carrierLegId: carrierLeg.legId,
    connection: first.connection,
    startedAtMs,
    paidForMs,
    // The first call may have ended meanwhile.
    line: isLive(first.status) ? 2 : 1,
    muted,
    teammateEntry,
    follower: carriesOut?.follower ?? null,
  });
  if (carriesOut) {
    carriesOut.transfer.secondCall = live;
    if (!isLive(first.status)) {
      await endCall(deps, live, hungUpHere(live));
      throw new Problem("call-ended", "This call has ended.");
    }
  }
  try {
    if (first.hold === "off" && isLive(first.status)) {
      await changeAudio(deps, new Map([[first, { hold: "for-other-line" }]]));
      void signalHold(deps, first);
    }
  } catch (error) {
    await endCall(deps, live, { reason: "error", sip: null, q850: null });
    void retryWrite(deps.log, first.callSid, writeHoldAsItIs);
    reportUnchangedAudio(first)(error);
  }
  const shown = { callerId, verifiedNumbers, lacksNumber };
  await dialCall(deps, live, { via, to: phoneNumber, ...shown, offer: carrierLeg.offer });
  void saveForRestart(deps, first);
  return { callSid: live.callSid };
}

/** Resolves the callee as stored in the row, and the carrier to dial with. */
async function findCallee(deps: CallDeps, { caller, callSid, body }: ConsultInCall) {
  const { userId, phoneNumber: typed = "" } = body;
  if (userId !== undefined) {
    const { carrier, teammate, teammateEntry } = await findTeammateCarrier(deps, {
      caller,
      userId,
      firstCallSid: callSid,
    });
    const written = { phoneNumber: "", phoneNumberTyped: "", callerId: teammate.name, ringsFor: userId };
    const via = { id: teammateCarrier, carrier, connection: null };
    return { ...written, carrier: teammateCarrier, connection: null, via, teammateEntry };
  }
  const organisationId = caller.organisation.id;
  const [phoneNumber, via] = await Promise.all([
    readDialledNumber(deps.database, organisationId, typed),
    findCarrier(deps, organisationId),
  ]);
  const { id: carrier, connection } = via;
  await deps.rates.refresh({ organisationId, phoneNumber, carrier, connection });
  return {
    phoneNumber,
    phoneNumberTyped: typed,
    carrier,
    connection,
    via,
    teammateEntry: null,
  };
}

const bothLinesInUse = (): Problem =>
  new Problem("call-in-progress", "You’re already on two calls. Hang up one of them first.");

function refuseUnlessTalking(deps: CallDeps, live: LiveCall): void {
  if (!deps.carriers.capabilities(live.carrierId).hold)
    throw new Problem(
      "not-supported",
      "Your carrier doesn’t support hold, so you can’t call anyone else during this call.",
    );
  if (live.status !== "in-progress" || !live.leg)
    throw new Problem("not-supported", "Wait until the call is answered before adding another.");
  if (live.transfer?.underWay) throw transferUnderWay();
  if (deps.liveCalls.findOtherLine(live)) throw bothLinesInUse();
}

async function writeHold(tx: Tx, { callSid }: LiveCall, consulted: string): Promise<StoredCall> {
  const stored = await changeCall(tx, callSid, ["in-progress"], { held: true });
  if (!stored) throw new Problem("call-ended", "This call has ended.");
  if (stored.line !== 1) throw bothLinesInUse();
  if (consulted !== "") refuseOwnNumber(stored, consulted);
  return stored;
}
