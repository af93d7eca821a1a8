import { applyRoom } from "../in-call/apply-room.ts";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "../in-call/change-live-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { signalHold } from "../in-call/signal-hold.ts";
import { retryWrite } from "../retry-write.ts";
import { showCallerAs } from "./show-caller-as.ts";

/**
 * One of a person's two calls has ended: they continue with the other, which is taken off hold if it was held for the first.
 * Resolves to the write for the other call, which the caller runs after writing the end, so that tabs hear of both in order.
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
  if (!wasJoined && !resumes) return () => showCallerAs(deps, other, "alone");
  const change = { held: other.hold !== "no", ...(wasJoined && { joinedWith: null, silenced: false }) };
  return () => {
    void other.inOrder(() => retryWrite(deps.log, other.callSid, () => changeLiveCall(deps, other, change)));
    showCallerAs(deps, other, "alone");
  };
}
