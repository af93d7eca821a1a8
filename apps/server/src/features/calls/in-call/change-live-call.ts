import { canMove, CallStatus, type HangUpCause, isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { noteEndedByLimit } from "../../limits/breaches/note-ended-by-limit.ts";
import { toCall, type CallDeps } from "../call-deps.ts";
import { moveLastTransfer, type TransferChange } from "../call-transfers.table.ts";
import { changeCall, type CallChange } from "../calls.table.ts";
import { promoteSecondLine } from "./promote-second-line.ts";
import type { LiveCall } from "../live-calls.ts";
import { publishCalls } from "../publish-calls.ts";

/**
 * Writes a change of a live call and notifies every tab of the organisation, in one transaction. Returns null if the
 * call is no longer in a state that allows the change.
 */
export async function changeLiveCall(
  deps: Pick<CallDeps, "database" | "carriers">,
  live: Pick<LiveCall, "callSid" | "organisationId"> & { userId: string | null },
  { transfer, ...change }: CallChange & { transfer?: TransferChange },
): Promise<Call | null> {
  const { status } = change;
  const transferChange = transfer ?? (change.ended && transferAtEnd(change.ended.cause));
  const from = CallStatus.options.filter((current) => (status ? canMove(current, status) : isLive(current)));
  const { organisationId, userId } = live;
  const scope = { organisationId, ...(userId !== null && { userId }), forLiveCall: true } as const;
  return deps.database.withTransaction(scope, async (tx) => {
    if (transferChange) await moveLastTransfer(tx, live.callSid, transferChange);
    const stored = await changeCall(tx, live.callSid, from, change);
    if (!stored) return null;
    const moved = change.ended ? await promoteSecondLine(tx, stored) : [];
    if (change.ended) await noteEndedByLimit(tx, stored);
    await publishCalls(deps, tx, [stored, ...moved]);
    return toCall(deps.carriers, stored);
  });
}

/** However a call ends, none of its transfers may stay under way. */
const transferAtEnd = ({ reason }: HangUpCause): TransferChange => ({
  status: reason === "transferred" ? "taken" : "unknown",
});
