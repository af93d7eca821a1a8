import type { HangUpCause } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { toCall, type CallDeps } from "../call-deps.ts";
import { endCallAsSeen } from "../abandoned-calls.table.ts";
import { moveLastTransfer } from "../call-transfers.table.ts";
import { lockCall } from "../running-calls.table.ts";
import { promoteSecondLine } from "./promote-second-line.ts";
import { publishCalls } from "../publish-calls.ts";

/**
 * Ends a live row that no process carries, in any state. Null if it has ended or never existed. `neverDialled`: its own
 * process knows that the carrier was never asked, which can't be known of a killed process.
 */
export async function endStrandedCall(
  deps: Pick<CallDeps, "database" | "carriers" | "log">,
  callSid: string,
  { reason, neverDialled = false }: { reason: HangUpCause["reason"]; neverDialled?: boolean },
): Promise<Call | null> {
  return deps.database.withTransaction({ system: "end a call whose process has ended" }, async (tx) => {
    // The commit of the call's start may still be in flight, even if its connection is gone.
    await lockCall(tx, callSid);
    await moveLastTransfer(tx, callSid, { status: "unknown" });
    const ended = await endCallAsSeen(tx, callSid, { reason, neverDialled });
    if (!ended) return null;
    deps.log.warn({ callSid, reason }, "a call whose process had ended was ended");
    await publishCalls(deps, tx, [ended, ...(await promoteSecondLine(tx, ended))]);
    return toCall(deps.carriers, ended);
  });
}
