import type { Call } from "@leadline/contract/calls";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import type { CallDeps } from "./call-deps.ts";
import { changeLiveCall } from "./change-live-call.ts";
import { findOwnLiveCall } from "./find-own-live-call.ts";
import { transferUnderWay } from "./transfer-call.ts";
import { orSayLater } from "./until-written.ts";

interface UpdateCall {
  caller: Member;
  callSid: string;
  change: { muted?: boolean | undefined; held?: boolean | undefined };
}

/** Mutes or unmutes, holds or resumes. The sound changes first, then the tabs are told. */
export async function updateCall(deps: CallDeps, { caller, callSid, change }: UpdateCall): Promise<Call> {
  const live = await findOwnLiveCall(deps, { caller, callSid });
  const { muted, held } = change;
  if (held !== undefined) {
    if (!deps.carriers.capabilities(live.carrierId).hold)
      throw new Problem("not-supported", "Your carrier cannot hold calls.");
    if (live.status !== "in-progress") throw new Problem("not-supported", "A call can be held once it is answered.");
    if (live.transfer?.underWay) throw transferUnderWay();
  }
  if (muted !== undefined) await deps.mediaPlane.setMuted(live.carrierLegId, muted);
  if (held !== undefined) {
    await deps.mediaPlane.setHeld(live.carrierLegId, held);
    await live.leg?.setHold?.(held);
    // One that was asked for meanwhile leaves on hold whom the person wants there.
    if (held && live.transfer) live.transfer.holds = false;
  }
  const written = live.inOrder(() =>
    changeLiveCall(deps, live, { ...(muted !== undefined && { muted }), ...(held !== undefined && { held }) }),
  );
  const changed = await orSayLater(written, "The sound has changed, but your other tabs could not be told yet.");
  if (!changed) throw new Problem("call-ended", "This call has ended.");
  return changed;
}
