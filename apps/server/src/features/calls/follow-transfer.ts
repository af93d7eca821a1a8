import type { CarrierTransferEvent } from "@leadline/adapter-kit/carrier";
import { isLive } from "@leadline/contract/call-state";
import type { CallDeps } from "./call-deps.ts";
import type { TransferChange } from "./call-transfers.table.ts";
import { changeLiveCall } from "./change-live-call.ts";
import { endCall } from "./end-call.ts";
import type { LiveCall, LiveTransfer } from "./live-calls.ts";
import { untilWritten } from "./until-written.ts";

/** Writes how a transfer goes, as its carrier tells. Taken, it ends the call; otherwise the two who talked hear each other again. */
export async function followTransfer(
  deps: CallDeps,
  live: LiveCall,
  { transfer, event }: { transfer: LiveTransfer; event: CarrierTransferEvent },
): Promise<void> {
  if (!isLive(live.status) || live.transfer !== transfer) return;
  if (event.type === "taken") {
    await endCall(deps, live, { reason: "transferred", sip: 200, q850: 16 });
    return;
  }
  if (!transfer.underWay) return;
  if (event.type !== "ringing") await resume(deps, live, transfer);
  const change: TransferChange =
    event.type === "refused"
      ? { status: "refused", refusal: event.why.reason, sip: event.why.sip }
      : { status: event.type };
  await live.inOrder(() =>
    untilWritten(deps.log, live.callSid, () => changeLiveCall(deps, live, { transfer: change })),
  );
}

async function resume(deps: CallDeps, live: LiveCall, transfer: LiveTransfer): Promise<void> {
  transfer.underWay = false;
  if (!transfer.holds) return;
  transfer.holds = false;
  const note = (error: unknown) =>
    deps.log.warn({ err: error, callSid: live.callSid }, "a call was not taken off hold");
  await deps.mediaPlane.setHeld(live.carrierLegId, false).catch(note);
  // Whoever is slow to answer that keeps nobody waiting for the word.
  live.leg?.setHold?.(false).catch(note);
}
