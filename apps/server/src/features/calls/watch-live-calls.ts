import type { CallDeps } from "./call-deps.ts";
import { markCallsSeen } from "./calls.table.ts";
import { endCall } from "./end-call.ts";
import type { LiveCall } from "./live-calls.ts";

const unattendedMs = 15_000;
const stillFlowingMs = 3000;
const everyMs = 1000;
const seenEveryTicks = 5;

interface Attendance extends CallDeps {
  /** How many live-event streams the person's tabs hold open. */
  countOpenStreams: (userId: string) => number;
}

/**
 * Watches the live calls: ends one that no tab has been near for 15 s (no stream open, no sound coming in) and one whose
 * media leg is gone, and notes in the database that the others still live. Returns what stops the watch.
 */
export function watchLiveCalls(deps: Attendance): () => void {
  let tick = 0;
  let watching = false;
  const watch = async () => {
    if (watching) return;
    watching = true;
    try {
      const calls = deps.liveCalls.all();
      for (const live of calls) await look(deps, live);
      tick += 1;
      if (tick % seenEveryTicks === 0 && calls.length > 0) {
        const callSids = calls.map(({ callSid }) => callSid);
        await deps.database.withTransaction({ system: "note which calls live" }, (tx) => markCallsSeen(tx, callSids));
      }
    } catch (error) {
      deps.log.error({ err: error }, "live calls could not be watched");
    } finally {
      watching = false;
    }
  };
  const timer = setInterval(() => void watch(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function look(deps: Attendance, live: LiveCall): Promise<void> {
  if ((await deps.mediaPlane.stats(live.carrierLegId)) === null) {
    void endCall(deps, live, { reason: "error", sip: null, q850: null });
    return;
  }
  if (await isAttended(deps, live)) {
    live.unattendedSinceMs = null;
    return;
  }
  live.unattendedSinceMs ??= performance.now();
  if (performance.now() - live.unattendedSinceMs >= unattendedMs)
    void endCall(deps, live, { reason: "left", sip: null, q850: 16 });
}

async function isAttended(deps: Attendance, live: LiveCall): Promise<boolean> {
  if (deps.countOpenStreams(live.userId) > 0) return true;
  if (!live.connection) return false;
  const stats = await deps.mediaPlane.stats(live.connection.legId);
  return stats?.sinceLastPacketMs != null && stats.sinceLastPacketMs < stillFlowingMs;
}
