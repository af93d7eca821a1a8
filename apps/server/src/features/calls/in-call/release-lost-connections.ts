import { isLive } from "@leadline/contract/call-state";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "./change-live-call.ts";

/**
 * A call whose browser connection has closed continues without audio, and its tabs are notified that any of them can
 * attach to it.
 */
export function releaseLostConnections(deps: CallDeps): void {
  deps.connections.followCalls({
    isInUse: (connection) => deps.liveCalls.findByConnection(connection.id).length > 0,
    legOfCall: (userId) => deps.liveCalls.findOf(userId)?.carrierLegId,
  });
  deps.connections.onClosed((connection) => {
    for (const live of deps.liveCalls.findByConnection(connection.id)) {
      if (!isLive(live.status)) continue;
      live.connection = null;
      live
        .inOrder(() => changeLiveCall(deps, live, { mediaConnectionId: null }))
        .catch((error: unknown) =>
          deps.log.error({ err: error, callSid: live.callSid }, "a lost connection was not noted"),
        );
    }
  });
}
