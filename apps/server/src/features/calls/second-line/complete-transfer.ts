import type { Call } from "@leadline/contract/calls";
import type { Member } from "../../../http/route.ts";
import type { CallDeps } from "../call-deps.ts";
import { insertAttendedTransfer } from "./call-transfers.table.ts";
import { endCall } from "../in-call/end-call.ts";
import { joinOwnPair, type Pair } from "./join-own-pair.ts";
import { readCall } from "../log/get-call.ts";
import { joinFarEnds, writeJoined } from "./join-far-ends.ts";
import { saveForRestart } from "../recovery/save-for-restart.ts";
import { orReportDelay } from "../retry-write.ts";
import { showCallerAs } from "./show-caller-as.ts";

/** Leaves the two far ends to each other: bridged here at once, and by the carrier without us if it can. */
export async function completeTransfer(deps: CallDeps, which: { caller: Member; callSid: string }): Promise<Call> {
  const pair = await joinOwnPair(deps, which, async (both) => {
    await joinFarEnds(deps, both, { leaving: true });
    for (const live of both) live.line = null;
  });
  const [first, second] = pair;
  const written = writeJoined(deps, pair, {
    line: null,
    mediaConnectionId: null,
    also: (tx) => insertAttendedTransfer(tx, first.callSid, second.callSid),
  });
  handOver(deps, pair);
  for (const live of pair) {
    void saveForRestart(deps, live);
    showCallerAs(deps, live, "transferred");
  }
  await orReportDelay(written, "They’re connected, but this hasn’t been saved to the log yet. Leadline keeps trying.");
  return readCall(deps, which);
}

/** If the carrier refuses, they stay bridged here. */
function handOver(deps: CallDeps, [first, second]: Pair): void {
  if (!first.leg?.transfer || !second.leg || first.carrierId !== second.carrierId) return;
  first.leg.transfer({
    to: second.leg,
    onEvent(event) {
      deps.log.info({ callSid: first.callSid, event }, "the event of a completed transfer");
      if (event.type === "taken") void endCall(deps, first, { reason: "transferred", sip: 200, q850: 16 });
    },
  });
}
