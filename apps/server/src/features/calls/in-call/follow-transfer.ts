import type { CarrierTransferEvent } from "@leadline/adapter-kit/carrier";
import { CallStatus, isLive } from "@leadline/contract/call-state";
import type { TransferRefusal } from "@leadline/contract/call-transfer";
import { publishLiveEvent } from "../../live-events/publish-live-event.ts";
import { type CallDeps, toCall } from "../call-deps.ts";
import { moveLastTransfer, type TransferChange } from "../call-transfers.table.ts";
import { changeCall } from "../calls.table.ts";
import { applyRoom } from "./apply-room.ts";
import { changeLiveCall } from "./change-live-call.ts";
import { endCall } from "./end-call.ts";
import type { LiveCall, LiveTransfer } from "../live-calls.ts";
import { retryWrite } from "../retry-write.ts";

/** Also used when the sender takes the call back from a teammate. */
interface Refused {
  type: "refused";
  why: { reason: TransferRefusal; sip: number | null };
}

/**
 * Stores a transfer's progress as the carrier reports it. A completed transfer ends the call. A failed one takes the
 * far end off hold.
 */
export async function followTransfer(
  deps: CallDeps,
  live: LiveCall,
  { transfer, event }: { transfer: LiveTransfer; event: CarrierTransferEvent | Refused },
): Promise<void> {
  if (live.transfer !== transfer) return;
  const change: TransferChange =
    event.type === "refused"
      ? { status: "refused", refusal: event.why.reason, sip: event.why.sip }
      : { status: event.type };
  if (!isLive(live.status)) return writeAfterwards(deps, live, change);
  if (event.type === "taken") {
    await endCall(deps, live, { reason: "transferred", sip: 200, q850: 16 });
    return;
  }
  if (!transfer.underWay) return;
  if (event.type !== "ringing") await resume(deps, live, transfer);
  await live.inOrder(() => retryWrite(deps.log, live.callSid, () => changeLiveCall(deps, live, { transfer: change })));
}

async function resume(deps: CallDeps, live: LiveCall, transfer: LiveTransfer): Promise<void> {
  transfer.underWay = false;
  if (!transfer.holds) return;
  transfer.holds = false;
  const note = (error: unknown) =>
    deps.log.warn({ err: error, callSid: live.callSid }, "a call could not be resumed from hold");
  await applyRoom(deps, live).catch(note);
  // Not awaited: a slow carrier must not delay the report.
  live.leg?.setHold?.(false).catch(note);
}

/** The result arrived after the call ended: the far end went on without us. */
async function writeAfterwards(deps: CallDeps, live: LiveCall, change: TransferChange): Promise<void> {
  await live.ending;
  const { callSid, organisationId, userId } = live;
  await retryWrite(deps.log, callSid, () =>
    deps.database.withTransaction({ organisationId, userId }, async (tx) => {
      if (!(await moveLastTransfer(tx, callSid, change))) return;
      const stored = await changeCall(tx, callSid, endedStatuses, {});
      if (stored)
        await publishLiveEvent(tx, { organisationId, type: "call.updated", data: toCall(deps.carriers, stored) });
    }),
  );
}

const endedStatuses = CallStatus.options.filter((status) => !isLive(status));
