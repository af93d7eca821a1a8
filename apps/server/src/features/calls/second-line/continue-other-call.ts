import { liveStatuses } from "@leadline/contract/call-state";
import { applyRoom } from "../in-call/apply-room.ts";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "../in-call/change-live-call.ts";
import { changeCall } from "../calls.table.ts";
import type { LiveCall } from "../live-calls.ts";
import { publishCalls } from "../publish-calls.ts";
import { signalHold } from "../in-call/signal-hold.ts";
import { retryWrite } from "../retry-write.ts";

/**
 * One of a person's two calls has ended: they go on with the other, which waits no longer where it did so for that one.
 * Resolves to what of it is to be written, once the end is: the tabs are told in that order.
 */
export async function continueOtherCall(deps: CallDeps, ended: LiveCall): Promise<(() => void) | null> {
  const other = deps.liveCalls.findBeside(ended);
  if (!other) return null;
  const wasJoined = other.joinedWith === ended;
  const resumes = other.hold === "for-other";
  other.line = 1;
  other.joinedWith = null;
  if (resumes) other.hold = "no";
  if (wasJoined) other.silenced = false;
  await applyRoom(deps, other);
  if (resumes) void signalHold(deps, other);
  const entry = other.teammateEntry;
  if (!wasJoined && !resumes) return entry && (() => writeCallerAlone(deps, other, entry));
  const change = { held: other.hold !== "no", ...(wasJoined && { joinedWith: null, silenced: false }) };
  return () => {
    void other.inOrder(() => retryWrite(deps.log, other.callSid, () => changeLiveCall(deps, other, change)));
    if (entry) writeCallerAlone(deps, other, entry);
  };
}

/** Nobody else is on the line any more: the teammate's screen shows the caller alone. */
function writeCallerAlone(
  deps: CallDeps,
  { organisationId, userId }: LiveCall,
  { callSid, callerId }: NonNullable<LiveCall["teammateEntry"]>,
): void {
  const write = () =>
    deps.database.withTransaction({ organisationId, userId }, async (tx) => {
      const stored = await changeCall(tx, callSid, liveStatuses, { callerId });
      if (stored) await publishCalls(deps, tx, [stored]);
    });
  void retryWrite(deps.log, callSid, write);
}
