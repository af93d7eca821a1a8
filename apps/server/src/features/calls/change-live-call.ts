import { canMove, CallStatus, isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import { toCall, type CallDeps } from "./call-deps.ts";
import { changeCall, type CallChange } from "./calls.table.ts";
import type { LiveCall } from "./live-calls.ts";

/**
 * Writes a change of a live call and tells every tab of the organisation, in one transaction.
 * Null where the call is no longer in a state from which the change is allowed.
 */
export async function changeLiveCall(
  deps: Pick<CallDeps, "database" | "carriers">,
  live: Pick<LiveCall, "callSid" | "organisationId"> & { userId: string | null },
  change: CallChange,
): Promise<Call | null> {
  const { status } = change;
  const from = CallStatus.options.filter((current) => (status ? canMove(current, status) : isLive(current)));
  const { organisationId, userId } = live;
  const scope = { organisationId, ...(userId !== null && { userId }) };
  return deps.database.withTransaction(scope, async (tx) => {
    const stored = await changeCall(tx, live.callSid, from, change);
    if (!stored) return null;
    const call = toCall(deps.carriers, stored);
    await publishLiveEvent(tx, { organisationId, type: "call.updated", data: call });
    return call;
  });
}
