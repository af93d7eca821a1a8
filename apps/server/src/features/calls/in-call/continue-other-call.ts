import { applyRoom } from "./apply-room.ts";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "./change-live-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { signalHold } from "./signal-hold.ts";
import { retryWrite } from "../retry-write.ts";
import { showCallerAs } from "./show-caller-as.ts";

/**
 * One of a person's two calls has ended. Resumes the other if it was held for that one. Resolves to the write for the
 * other call, to run after the end is stored, so that tabs are notified in that order.
 */
export async function continueOtherCall(deps: CallDeps, ended: LiveCall): Promise<(() => void) | null> {
  const other = deps.liveCalls.findOtherLine(ended);
  if (!other) return null;
  const wasJoined = other.joinedWith === ended;
  const resumes = other.hold === "for-other-line";
  other.line = 1;
  other.joinedWith = null;
  if (resumes) other.hold = "off";
  if (wasJoined) other.silenced = false;
  await applyRoom(deps, other);
  if (resumes) void signalHold(deps, other);
  if (!wasJoined && !resumes) return () => showCallerAs(deps, other, "alone");
  const change = { held: other.hold !== "off", ...(wasJoined && { joinedWith: null, silenced: false }) };
  return () => {
    void other.inOrder(() => retryWrite(deps.log, other.callSid, () => changeLiveCall(deps, other, change)));
    showCallerAs(deps, other, "alone");
  };
}
