import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import type { TurnSettings } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import { openHeldAlone } from "../../db/hold-alone.ts";
import type { Route } from "../../http/route.ts";
import type { Log } from "../../log.ts";
import { createSealer } from "../../seal-secrets.ts";
import type { DeriveKey } from "../../secrets.ts";
import type { MediaPlane } from "../../media-plane/media-plane.ts";
import { carrierRoutes } from "../carriers/carriers.routes.ts";
import { identifyKept } from "../carriers/identify-settings.ts";
import { renewCarrierSecrets } from "../carriers/renew-secrets.ts";
import { createOwnCarriers, type OwnCarriers } from "../carriers/own-carriers.ts";
import { mediaConnectionRoutes } from "../media-connections/media-connections.routes.ts";
import { createMediaConnections } from "../media-connections/media-connections.ts";
import { openCommands } from "../processes/run-commands.ts";
import { sharePresence } from "../processes/share-presence.ts";
import type { LiveEvents } from "../live-events/run-live-events.ts";
import { reachOwner } from "../processes/reach-owner.ts";
import { callRoutes } from "./calls.routes.ts";
import { countCallsThatCome } from "./inbound/count-calls-that-come.ts";
import { endAbandonedCalls } from "./recovery/end-abandoned-calls.ts";
import { endCallsOfWhoLeft } from "./recovery/end-calls-of-who-left.ts";
import { endCall } from "./in-call/end-call.ts";
import { findOwners } from "./in-call/find-owner.ts";
import { createLiveCalls } from "./live-calls.ts";
import { type OpenCarriers, openCarriers } from "../carriers/open-carriers.ts";
import { leaveForRestart } from "./recovery/remember-calls.ts";
import { resumeCalls } from "./recovery/resume-calls.ts";
import { ringMembers } from "./inbound/ring-members.ts";
import { createRingingCalls } from "./inbound/ringing-calls.ts";
import { stopRinging } from "./inbound/stop-ringing.ts";
import { releaseLostConnections } from "./in-call/release-lost-connections.ts";
import { longestVoicemailMs, mostVoicemailMs } from "@leadline/contract/voicemail";
import type { FileStore } from "../files/file-store.ts";
import { createVoicemail } from "../voicemail/create-voicemail.ts";
import type { VoicemailBounds } from "../voicemail/voicemail-deps.ts";
import { voicemailRoutes } from "../voicemail/voicemail.routes.ts";
import { watchLiveCalls } from "./in-call/watch-live-calls.ts";
import { whoIsRungAlone } from "./inbound/who-may-take.ts";

export interface RunCalls {
  database: Database;
  mediaPlane: MediaPlane;
  store: FileStore;
  carrierModules: readonly CarrierModule[];
  deriveKey: DeriveKey;
  turn?: TurnSettings | null;
  liveEvents: Pick<LiveEvents, "openStreams" | "onSessionChange">;
  ringForMs?: number;
  /** Of one organisation, inbound; more are refused with 503. */
  callsInAMinute?: number;
  mostRinging?: number;
  /** As CallDeps says. */
  mediaTimeoutMs?: number | null;
  voicemailBounds?: Partial<VoicemailBounds>;
  log: Log;
}

const voicemailBounds: VoicemailBounds = {
  longestMs: longestVoicemailMs,
  mostMs: mostVoicemailMs,
  quietMs: 6_000,
  mostAtOnce: 20,
};

/** Settles what killed processes left, then carries calls until closed; closing ends the live ones properly. */
export async function runCalls(options: RunCalls): Promise<{
  routes: readonly Route[];
  carriers: OpenCarriers;
  /** At start: those that register do so before the first call. */
  openOwnCarriers(): Promise<void>;
  ownCarriers: Pick<OwnCarriers, "changed">;
  countLive(): number;
  close(): Promise<void>;
}> {
  const { database, mediaPlane, log } = options;
  const commands = await openCommands({ database, deriveKey: options.deriveKey, log });
  const modules = options.carrierModules;
  const sealer = createSealer(options.deriveKey, "carrier-secrets");
  await renewCarrierSecrets(database, sealer);
  await identifyKept(database, modules);
  const heldAlone = await openHeldAlone(database, log);
  const ownCarriers = createOwnCarriers({
    database,
    modules,
    sealer,
    heldAlone,
    log,
    onInbound(call, { organisationId, kind, id }) {
      ringMembers(deps, call, { organisationId, carrier: kind, connectionId: id }).catch((error: unknown) =>
        log.error({ err: error, organisationId }, "a call that came in could not be written down"),
      );
    },
  });
  const carriers = await openCarriers(modules, ownCarriers);
  const { processKey } = commands;
  const connections = createMediaConnections(mediaPlane, { processKey });
  const liveCalls = createLiveCalls();
  const ringingCalls = createRingingCalls();
  const callsThatCome = countCallsThatCome({ mostAMinute: options.callsInAMinute ?? 120, log });
  const presence = await sharePresence({
    database,
    commands,
    openStreams: options.liveEvents.openStreams,
    busyHere: () => [
      ...liveCalls.all().flatMap(({ line, userId }) => (line === null ? [] : [userId])),
      ...whoIsRungAlone({ liveCalls, ringingCalls }),
    ],
    log,
  });
  const ringForMs = options.ringForMs ?? 45_000;
  const parts = { database, mediaPlane, connections, carriers, liveCalls, ringingCalls, callsThatCome };
  const bounds = { ...voicemailBounds, ...options.voicemailBounds };
  const voicemailDeps = { database, mediaPlane, carriers, store: options.store, processKey, bounds, log };
  const voicemail = await createVoicemail(voicemailDeps);
  const rememberedSealer = createSealer(options.deriveKey, "remembered-calls");
  const { mostRinging = 30, mediaTimeoutMs = 30_000 } = options;
  const patience = { ringForMs, mediaTimeoutMs, mostRinging };
  const deps = { ...parts, ...patience, voicemail, presence, processKey, sealer: rememberedSealer, log };
  await resumeCalls(deps, { silentForMs: 0 });
  await endAbandonedCalls(deps, { trustClock: false });
  releaseLostConnections(deps);
  options.liveEvents.onSessionChange((userId) => void endCallsOfWhoLeft(deps, userId));
  const stopWatching = watchLiveCalls(deps);
  const owners = findOwners(deps);
  const carried = [...callRoutes(deps, owners), ...mediaConnectionRoutes(connections, options.turn ?? null, owners)];
  return {
    routes: [
      ...reachOwner(carried, commands),
      ...voicemailRoutes(voicemailDeps),
      ...carrierRoutes({ database, modules, sealer, ownCarriers, mediaPlane, log }),
    ],
    carriers,
    openOwnCarriers: () => ownCarriers.openAll(),
    ownCarriers,
    countLive: () => liveCalls.all().length,
    async close() {
      stopWatching();
      await Promise.all(ringingCalls.all().map((ringing) => stopRinging(deps, ringing, "closing")));
      await voicemail.close();
      const restarting = { reason: "server-restarted", sip: null, q850: 41 } as const;
      await Promise.all(
        liveCalls.all().map(async (live) => (await leaveForRestart(deps, live)) || endCall(deps, live, restarting)),
      );
      await Promise.all([ownCarriers.close(), carriers.close()]);
      await heldAlone.close();
      await presence.close();
      await commands.close();
    },
  };
}
