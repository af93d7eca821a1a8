import type { InboundCall } from "@leadline/adapter-kit/carrier";
import { sharePresence } from "../processes/share-presence.ts";
import type { Commands } from "../processes/run-commands.ts";
import type { LiveEvents } from "../live-events/run-live-events.ts";
import type { CallDeps } from "./call-deps.ts";
import { callRoutes } from "./calls.routes.ts";
import { limitInboundRate } from "./inbound/limit-inbound-rate.ts";
import { endAbandonedCalls } from "./recovery/end-abandoned-calls.ts";
import { endCallsOfRemovedUsers } from "./recovery/end-calls-of-removed-users.ts";
import { endCall } from "./in-call/end-call.ts";
import { findOwningProcess } from "./in-call/find-owning-process.ts";
import { createLiveCalls } from "./live-calls.ts";
import { leaveForRestart } from "./snapshots/save-for-restart.ts";
import { resumeCalls } from "./recovery/resume-calls.ts";
import { ringMembers, type Through } from "./inbound/ring-members.ts";
import { createRingingCalls } from "./inbound/ringing-calls.ts";
import { stopRinging } from "./inbound/stop-ringing.ts";
import { releaseLostConnections } from "./in-call/release-lost-connections.ts";
import { watchLiveCalls } from "./recovery/watch-live-calls.ts";
import { listRungDirectly } from "./inbound/teammate-availability.ts";

export interface CallBounds extends Pick<CallDeps, "maxRinging" | "mediaTimeoutMs"> {
  ringForMs?: number;
  unattendedMs?: number;
  /** Inbound calls per organisation. More get 503. */
  callsInAMinute: number;
}

type MadeHere = keyof CallBounds | "liveCalls" | "ringingCalls" | "inboundRateLimit" | "presence" | "processKey";

interface RunCalls extends Omit<CallDeps, MadeHere> {
  commands: Commands;
  liveEvents: Pick<LiveEvents, "openStreams" | "onSessionChange">;
  bounds: CallBounds;
}

/** Cleans up what killed processes left, then carries calls until closed. Closing ends the live calls properly. */
export async function runCalls({ commands, liveEvents, bounds, ...given }: RunCalls) {
  const { database, log } = given;
  const { callsInAMinute, ...timeouts } = bounds;
  const liveCalls = createLiveCalls();
  const ringingCalls = createRingingCalls();
  const presence = await sharePresence({
    database,
    commands,
    openStreams: liveEvents.openStreams,
    busyHere: () => [
      ...liveCalls.all().flatMap(({ line, userId }) => (line === null ? [] : [userId])),
      ...listRungDirectly({ liveCalls, ringingCalls }),
    ],
    log,
  });
  const deps: CallDeps = {
    ringForMs: 45_000,
    unattendedMs: 15_000,
    ...timeouts,
    ...given,
    liveCalls,
    ringingCalls,
    inboundRateLimit: limitInboundRate({ maxPerMinute: callsInAMinute, log }),
    presence,
    processKey: commands.processKey,
  };
  await resumeCalls(deps, { silentForMs: 0 });
  await endAbandonedCalls(deps, { trustClock: false });
  releaseLostConnections(deps);
  liveEvents.onSessionChange((userId) => void endCallsOfRemovedUsers(deps, userId));
  const stopWatching = watchLiveCalls(deps);
  const owners = findOwningProcess(deps);
  return {
    routes: callRoutes(deps, owners),
    owners,
    /** Handles an inbound call from an organisation's carrier. */
    ring: (call: InboundCall, through: Through) => ringMembers(deps, call, through),
    countLive: () => liveCalls.all().length,
    async close(): Promise<void> {
      await stopWatching();
      await Promise.all(ringingCalls.all().map((ringing) => stopRinging(deps, ringing, "closing")));
      const restarting = { reason: "server-restarted", sip: null, q850: 41 } as const;
      await Promise.all(
        liveCalls.all().map(async (live) => (await leaveForRestart(deps, live)) || endCall(deps, live, restarting)),
      );
      await presence.close();
    },
  };
}
