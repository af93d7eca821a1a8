import type { Call } from "@leadline/contract/calls";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { refuseDoNotCall } from "../../do-not-call/refuse-do-not-call.ts";
import { requireLead } from "../../leads/get-lead.ts";
import { reportBreaches } from "../../limits/breaches/report-breaches.ts";
import { refuseOverLimits } from "../../limits/refuse-over-limits.ts";
import { publishLiveEvent } from "../../live-events/publish-live-event.ts";
import { type CallDeps, toCall } from "../call-deps.ts";
import { insertTransfer, neverAsked, type NewTransfer } from "../call-transfers.table.ts";
import { applyRoom } from "../in-call/apply-room.ts";
import { changeLiveCall } from "../in-call/change-live-call.ts";
import { changeCall } from "../calls.table.ts";
import { findOwnLiveCall, transferUnderWay } from "../in-call/find-own-live-call.ts";
import { findConnectionOfCall } from "../running-calls.table.ts";
import { followTransfer } from "../in-call/follow-transfer.ts";
import { reserveTransferChannel } from "./reserve-transfer-channel.ts";
import type { LiveCall, LiveTransfer } from "../live-calls.ts";
import { readDialledNumber } from "../outbound/read-dialled-number.ts";
import { refuseOwnNumber } from "../outbound/refuse-own-number.ts";
import { checkHours, type HoursAsked } from "../outbound/check-hours.ts";
import { retryWrite } from "../retry-write.ts";

export interface TransferCall extends HoursAsked {
  caller: Member;
  callSid: string;
  /** As the person typed it. */
  phoneNumber: string;
  leadId?: string | undefined;
}

/**
 * Asks the carrier to transfer the far end to a number that may be called. Resolves once that is stored; its progress is reported by the
 * call's events.
 */
export async function transferCall(
  deps: CallDeps,
  { caller, callSid, phoneNumber: typed, leadId, ...hoursAsked }: TransferCall,
): Promise<Call> {
  const live = await findOwnLiveCall(deps, { caller, callSid });
  const { organisationId } = live;
  const { hold, transfer: canTransfer } = deps.carriers.capabilities(live.carrierId);
  if (!canTransfer) throw new Problem("not-supported", "Your carrier doesn’t support transfers.");
  refuseUnlessAlone(deps, live);
  const phoneNumber = await readDialledNumber(deps.database, organisationId, typed);
  if (live.transfer?.underWay) throw transferUnderWay();
  const transfer: LiveTransfer = { holds: false, underWay: true, sentToCarrier: false, memberId: null };
  live.transfer = transfer;
  const asked = { organisationId, callSid, phoneNumber, phoneNumberTyped: typed, leadId: leadId ?? null };
  const call = await refreshRate(deps, live, phoneNumber)
    .then(() => live.inOrder(() => reportBreaches(deps, live, () => writeTransfer(deps, live, asked, hoursAsked))))
    .catch((error: unknown) => {
      transfer.underWay = false;
      // It may be stored anyway: the commit's response can be lost with the connection.
      if (!(error instanceof Problem)) void clearUp(deps, live);
      throw error;
    });
  transfer.holds = hold && !call.held;
  void ask(deps, live, { transfer, to: phoneNumber });
  return call;
}

/** The limits may depend on what the carrier charges for the number. */
async function refreshRate(deps: CallDeps, live: LiveCall, phoneNumber: string): Promise<void> {
  const { organisationId, callSid, carrierId: carrier } = live;
  const connection = await deps.database.withTransaction({ organisationId }, (tx) => findConnectionOfCall(tx, callSid));
  await deps.rates.refresh({ organisationId, phoneNumber, carrier, connection });
}

/** Throws unless the call is answered and the person's other line is free. */
export function refuseUnlessAlone(deps: CallDeps, live: LiveCall): void {
  if (live.status !== "in-progress" || !live.leg)
    throw new Problem("not-supported", "You can transfer a call once it’s answered.");
  if (deps.liveCalls.findOtherLine(live))
    throw new Problem("not-supported", "You’re on two calls. Transfer one to the other, or hang up one of them first.");
}

function writeTransfer(
  deps: CallDeps,
  { userId }: LiveCall,
  asked: NewTransfer,
  hoursAsked: HoursAsked,
): Promise<Call> {
  const { organisationId, leadId } = asked;
  return deps.database.withTransaction({ organisationId, userId }, async (tx) => {
    if (leadId !== null) await requireLead(tx, { id: leadId, organisationId });
    await insertTransfer(tx, asked);
    const hours = await checkHours(tx, asked, hoursAsked);
    const { override } = hours;
    const stored = await changeCall(
      tx,
      asked.callSid,
      ["in-progress"],
      override === null ? {} : { transferOverride: override },
    );
    if (!stored) throw new Problem("call-ended", "This call has ended.");
    refuseOwnNumber(stored, asked.phoneNumber);
    await refuseDoNotCall(tx, asked);
    const connection = await findConnectionOfCall(tx, asked.callSid);
    const rated = { organisationId, phoneNumber: asked.phoneNumber, carrier: stored.carrier, connection };
    const { rate, isSandbox } = await deps.rates.find(tx, rated);
    await refuseOverLimits(tx, { ...rated, userId, rate, isSandbox });
    hours.refuse();
    const call = toCall(deps.carriers, stored);
    await publishLiveEvent(tx, { organisationId, type: "call.updated", data: call });
    return call;
  });
}

const clearUp = (deps: CallDeps, live: LiveCall): Promise<unknown> =>
  live.inOrder(() => retryWrite(deps.log, live.callSid, () => changeLiveCall(deps, live, { transfer: neverAsked })));

/** Hold first, so that the far end knows it is waiting (RFC 5589, section 6.1). */
async function ask(
  deps: CallDeps,
  live: LiveCall,
  { transfer, to }: { transfer: LiveTransfer; to: string },
): Promise<void> {
  try {
    if (transfer.holds) {
      await applyRoom(deps, live);
      await live.leg?.setHold?.(true);
    }
    const taken = await reserveTransferChannel(deps, live);
    if (taken === "all-in-use") {
      const why = { reason: "lines-in-use", sip: null } as const;
      return await followTransfer(deps, live, { transfer, event: { type: "refused", why } });
    }
    const { permit, free } = taken;
    if (permit === null) return await free();
    transfer.sentToCarrier = true;
    try {
      live.leg?.transfer?.({
        to,
        permit,
        onEvent(event) {
          // The target's line is in use until the carrier reports the transfer's result.
          if (event.type !== "ringing") void free();
          void followTransfer(deps, live, { transfer, event });
        },
      });
    } catch (error) {
      await free();
      throw error;
    }
  } catch (error) {
    deps.log.error({ err: error, callSid: live.callSid }, "a transfer could not be requested");
    const why = { reason: "unanswered", sip: null } as const;
    await followTransfer(deps, live, { transfer, event: { type: "refused", why } });
  }
}
