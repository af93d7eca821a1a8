import type { Call } from "@leadline/contract/calls";
import type { Tx } from "../../../db/transaction.ts";
import type { Member } from "../../../http/route.ts";
import type { CallDeps } from "../call-deps.ts";
import { insertAttendedTransfer } from "../call-transfers.table.ts";
import { endCall } from "../in-call/end-call.ts";
import { findRateOfCall } from "../running-calls.table.ts";
import { countsTransfers } from "./counts-transfers.ts";
import { joinOwnPair, type Pair } from "./join-own-pair.ts";
import { readCall } from "../log/get-call.ts";
import { joinFarEnds, writeJoined } from "./join-far-ends.ts";
import { saveForRestart } from "../snapshots/save-for-restart.ts";
import { orReportDelay } from "../retry-write.ts";
import { showCallerAs } from "../in-call/show-caller-as.ts";

interface WhichCall {
  caller: Member;
  callSid: string;
}

/** Leaves the two far ends to each other: bridged here at once, and by the carrier without us if it can. */
export async function completeTransfer(deps: CallDeps, which: WhichCall): Promise<Call> {
  const { written } = await leaveFarEnds(deps, which, insertAttendedTransfer);
  await orReportDelay(written, "They’re connected, but this hasn’t been saved to the log yet. Leadline keeps trying.");
  return readCall(deps, which);
}

/**
 * Bridges the far ends of the person's two calls, without the person. `record` stores the transfer. `written` resolves
 * once everything is stored.
 */
export async function leaveFarEnds(
  deps: CallDeps,
  which: WhichCall,
  record: (tx: Tx, firstCallSid: string, secondCallSid: string) => Promise<unknown>,
): Promise<{ written: Promise<void> }> {
  const pair = await joinOwnPair(deps, which, async (both) => {
    await joinFarEnds(deps, both, { leaving: true });
    for (const live of both) live.line = null;
  });
  const [first, second] = pair;
  const written = writeJoined(deps, pair, {
    line: null,
    mediaConnectionId: null,
    also: async (tx) => void (await record(tx, first.callSid, second.callSid)),
  });
  handOver(deps, pair).catch((error: unknown) =>
    deps.log.warn({ err: error, callSid: first.callSid }, "a completed transfer stays bridged here"),
  );
  for (const live of pair) {
    void saveForRestart(deps, live);
    showCallerAs(deps, live, "transferred");
  }
  return { written };
}

/** If the carrier refuses, they stay bridged here. */
async function handOver(deps: CallDeps, [first, second]: Pair): Promise<void> {
  const { organisationId } = first;
  // What the carrier charges after we have left couldn't be paid from the balance, cut off, nor counted.
  const staysHere = await deps.database.withTransaction({ organisationId }, async (tx) => {
    for (const { callSid } of [first, second]) {
      const { connection, rate } = await findRateOfCall(tx, callSid);
      if (await countsTransfers(tx, { organisationId, connection, rate })) return true;
    }
    return false;
  });
  if (staysHere) return;
  if (!first.leg?.transfer || !second.leg || first.carrierId !== second.carrierId) return;
  first.leg.transfer({
    to: second.leg,
    onEvent(event) {
      deps.log.info({ callSid: first.callSid, event }, "the event of a completed transfer");
      if (event.type === "taken") void endCall(deps, first, { reason: "transferred", sip: 200, q850: 16 });
    },
  });
}
