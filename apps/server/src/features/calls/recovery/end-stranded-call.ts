import type { HangUpCause } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { toCall, type CallDeps } from "../call-deps.ts";
import { endCallAsSeen } from "./abandoned-calls.table.ts";
import { moveLastTransfer } from "../second-line/call-transfers.table.ts";
import { lockCall } from "../running-calls.table.ts";
import { freeLine } from "../outbound/free-line.ts";
import { publishCalls } from "../publish-calls.ts";

/**
 * Ends a row that nobody carries, whatever live state it is in; null where it has ended, or never was. `neverDialled`: its own
 * process says that it stopped before the carrier was asked, which nobody can say of a process that was killed.
 */
export async function endStrandedCall(
  deps: Pick<CallDeps, "database" | "carriers" | "log">,
  callSid: string,
  { reason, neverDialled = false }: { reason: HangUpCause["reason"]; neverDialled?: boolean },
): Promise<Call | null> {
  return deps.database.withTransaction({ system: "end a call that nobody carries" }, async (tx) => {
    // The commit of its start may be on its way still, though the connection that asked for it is gone.
    await lockCall(tx, callSid);
    await moveLastTransfer(tx, callSid, { status: "unknown" });
    const ended = await endCallAsSeen(tx, callSid, { reason, neverDialled });
    if (!ended) return null;
    deps.log.warn({ callSid, reason }, "a call that nobody carried was ended");
    await publishCalls(deps, tx, [ended, ...(await freeLine(tx, ended))]);
    return toCall(deps.carriers, ended);
  });
}
