import { runEvery } from "../../../run-every.ts";
import { listSignedInPeople } from "../../sessions/list-signed-in-people.ts";
import { noteAlive } from "../../processes/note-alive.ts";
import type { CallDeps } from "../call-deps.ts";
import { markCallsSeen } from "../abandoned-calls.table.ts";
import { endAbandonedCalls } from "./end-abandoned-calls.ts";
import { endCall } from "../in-call/end-call.ts";
import { enforceCallBounds } from "../in-call/enforce-call-bounds.ts";
import { signedOut } from "./end-calls-of-removed-users.ts";
import { endSilentCall } from "../in-call/end-silent-call.ts";
import { saveForRestart } from "../snapshots/save-for-restart.ts";
import { resumeCalls } from "./resume-calls.ts";
import type { LiveCall } from "../live-calls.ts";

const everyMs = 1000;
const stillFlowingMs = 3000;
/** A stream whose machine has vanished still looks open. Closing it makes a live client reconnect. */
const probeMs = 20_000;
/** How often calls are marked alive in the database, and other processes' calls are checked. */
const databaseEveryMs = 5000;
/** For this long after a restart only the same process may resume its calls; then any process may. */
const leftForMs = 20_000;
/** After a database outage, other processes get this long to mark their calls alive. */
const trustClockAfterMs = 30_000;

/**
 * Watches the live calls. Ends calls that have had no tab for `unattendedMs` (no stream open, no audio coming in), whose
 * person is signed out everywhere, whose media leg is gone, whose far end sends no audio, or that reach a limit. Marks
 * the others alive in the database and ends rows that no process carries. Returns a function that stops the watch and
 * waits for its current round, which would take calls that are left for a restart for abandoned ones.
 */
export function watchLiveCalls(deps: CallDeps): () => Promise<void> {
  let databaseAtMs = 0;
  let reachableSinceMs: number | null = null;

  const markInDatabase = async (calls: LiveCall[]): Promise<void> => {
    reachableSinceMs ??= performance.now();
    const seen = calls.filter(({ seenBeforeAtMs }) => seenBeforeAtMs === null);
    const callSids = [...seen, ...deps.ringingCalls.all()].map(({ callSid }) => callSid);
    const userIds = [...new Set(calls.map(({ userId }) => userId))];
    const signedIn = await deps.database.withTransaction({ system: "record which calls are live" }, async (tx) => {
      if (callSids.length > 0) await markCallsSeen(tx, callSids);
      return userIds.length > 0 ? listSignedInPeople(tx, userIds) : new Set<string>();
    });
    for (const live of calls) if (live.line !== null && !signedIn.has(live.userId)) void endCall(deps, live, signedOut);
    await enforceCallBounds(deps, calls, databaseEveryMs);
    await Promise.all(calls.map((live) => saveForRestart(deps, live)));
    await resumeCalls(deps, { silentForMs: leftForMs });
    await endAbandonedCalls(deps, { trustClock: performance.now() - reachableSinceMs > trustClockAfterMs });
  };

  const watch = async (): Promise<void> => {
    const calls = deps.liveCalls.all();
    // First, so that these calls end even while the database is down.
    await Promise.all(calls.map((live) => look(deps, live)));
    if (calls.length > 0) await noteAlive(deps);
    if (performance.now() - databaseAtMs > databaseEveryMs) {
      databaseAtMs = performance.now();
      await markInDatabase(calls);
    }
  };
  return runEvery(watch, {
    everyMs,
    onError(error) {
      reachableSinceMs = null;
      deps.log.error({ err: error }, "live calls could not be watched");
    },
  });
}

const left = { reason: "left", sip: null, q850: 16 } as const;

async function look(deps: CallDeps, live: LiveCall): Promise<void> {
  const farEnd = await deps.mediaPlane.stats(live.carrierLegId);
  if (farEnd === null) {
    void endCall(deps, live, { reason: "media-lost", sip: null, q850: 41 });
    return;
  }
  endSilentCall(deps, live, farEnd);
  // The rep has left the call to the two far ends, so no tab is needed.
  if (live.line === null) return;
  const now = performance.now();
  if (await isHeard(deps, live)) {
    live.unattendedSinceMs = null;
    live.probedAtMs = now;
  } else if (deps.presence.isPresent(live.userId)) {
    live.unattendedSinceMs = null;
    if (now - live.probedAtMs < probeMs) return;
    live.probedAtMs = now;
    deps.presence.endStreamsOf(live.userId);
  } else {
    live.unattendedSinceMs ??= now;
    if (now - live.unattendedSinceMs >= deps.unattendedMs) void endCall(deps, live, left);
  }
}

/** Whether audio comes in from the browser. A muted browser sends silence. */
async function isHeard(deps: CallDeps, live: LiveCall): Promise<boolean> {
  if (!live.connection) return false;
  const stats = await deps.mediaPlane.stats(live.connection.legId);
  return stats?.sinceLastPacketMs != null && stats.sinceLastPacketMs < stillFlowingMs;
}
