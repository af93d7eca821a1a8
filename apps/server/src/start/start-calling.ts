import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { provisioners } from "../adapters.ts";
import type { TurnSettings } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/transaction.ts";
import { createExclusiveRunner } from "../db/create-exclusive-runner.ts";
import { openExclusiveLocks } from "../db/exclusive-locks.ts";
import { publishEndedCall } from "../features/calls/log/publish-ended-call.ts";
import { type CallBounds, runCalls } from "../features/calls/run-calls.ts";
import type { AccountDeps } from "../features/carrier-accounts/account-deps.ts";
import { createRateReader } from "../features/carrier-accounts/read-account-rates.ts";
import { runAccounts } from "../features/carrier-accounts/run-accounts.ts";
import { useAccounts } from "../features/carrier-accounts/use-accounts.ts";
import { runCarrierRecords } from "../features/carrier-records/run-carrier-records.ts";
import { carrierRoutes } from "../features/carriers/carriers.routes.ts";
import { openCarriers } from "../features/carriers/open-carriers.ts";
import { createOwnCarriers, type OwnCarriers } from "../features/carriers/own-carriers.ts";
import { putTrunk } from "../features/carriers/put-trunk.ts";
import { dropCarrier } from "../features/carriers/remove-carrier.ts";
import { renewCarrierSecrets } from "../features/carriers/renew-secrets.ts";
import type { FileStore } from "../features/files/file-store.ts";
import type { LiveEvents } from "../features/live-events/run-live-events.ts";
import { endOpenOrders } from "../features/numbers/accounts/end-open-orders.ts";
import { leaveAccountNumbers } from "../features/numbers/accounts/leave-account-numbers.ts";
import { callerIdRoutes } from "../features/caller-ids/caller-ids.routes.ts";
import type { AlertOwners } from "../features/members/alert-owners.ts";
import { mediaConnectionRoutes } from "../features/media-connections/media-connections.routes.ts";
import { createMediaConnections } from "../features/media-connections/media-connections.ts";
import { runNumbers } from "../features/numbers/run-numbers.ts";
import { findRate, type RatedCall } from "../features/rates/find-rate.ts";
import type { RateDeps } from "../features/rates/rate-deps.ts";
import { rateRoutes } from "../features/rates/rates.routes.ts";
import { refreshRate } from "../features/rates/refresh-rate.ts";
import { reachOwner } from "../features/processes/reach-owner.ts";
import { openCommands } from "../features/processes/run-commands.ts";
import { createVoicemail } from "../features/voicemail/create-voicemail.ts";
import { defaultVoicemailBounds, type VoicemailBounds } from "../features/voicemail/voicemail-deps.ts";
import { voicemailRoutes } from "../features/voicemail/voicemail.routes.ts";
import type { Route } from "../http/route.ts";
import type { Log } from "../log.ts";
import type { MediaPlane } from "../media-plane/media-plane.ts";
import { createSealer } from "../seal-secrets.ts";
import type { DeriveKey } from "../secrets.ts";

export interface StartCalling {
  database: Database;
  alertOwners: AlertOwners;
  mediaPlane: MediaPlane;
  store: FileStore;
  carrierModules: readonly CarrierModule[];
  deriveKey: DeriveKey;
  turn?: TurnSettings | null;
  /** Missing: no vendor has a sandbox, and this server's address isn't known. */
  accounts?: Pick<AccountDeps, "sandboxes" | "publicAddress" | "followEveryMs"> &
    Partial<Pick<AccountDeps, "modules">> & {
      /** How often unfinished number orders are resumed. Every half minute by default. */
      resumeEveryMs?: number;
      /** How often accounts' numbers are compared with those here. Every ten minutes by default. */
      reconcileEveryMs?: number;
    };
  liveEvents: Pick<LiveEvents, "openStreams" | "onSessionChange">;
  bounds: CallBounds;
  voicemailBounds: Pick<VoicemailBounds, "maxAtOnce"> & Partial<VoicemailBounds>;
  /** How many phone numbers an organisation can have. */
  maxNumbers: number;
  log: Log;
}

export interface Calling {
  routes: readonly Route[];
  ownCarriers: Pick<OwnCarriers, "changed" | "openAll">;
  /** Notifies tabs that data shown with an ended call has changed. */
  publishEndedCall: (tx: Tx, callSid: string) => Promise<void>;
  countLive(): number;
  close(): Promise<void>;
}

/** Carriers, voicemail, calls and phone numbers. */
export async function startCalling(options: StartCalling): Promise<Calling> {
  const { database, mediaPlane, store, carrierModules: modules, deriveKey, liveEvents, log } = options;
  const commands = await openCommands({ database, deriveKey, log });
  const { processKey } = commands;
  const sealer = createSealer(deriveKey, "carrier-secrets");
  await renewCarrierSecrets(database, sealer);
  const exclusiveLocks = await openExclusiveLocks(database, log);
  const ownCarriers = createOwnCarriers({
    database,
    modules,
    sealer,
    exclusiveLocks,
    log,
    onInbound(call, { organisationId, kind, id }) {
      calls
        .ring(call, { organisationId, carrier: kind, connectionId: id })
        .catch((error: unknown) => log.error({ err: error, organisationId }, "an inbound call could not be recorded"));
    },
  });
  const carriers = await openCarriers(modules, ownCarriers);
  const bounds = { ...defaultVoicemailBounds, ...options.voicemailBounds };
  const voicemailDeps = { database, mediaPlane, carriers, store, processKey, bounds, log };
  const voicemail = await createVoicemail(voicemailDeps);
  const carrierDeps = { database, modules, sealer, ownCarriers, mediaPlane, log };
  const runExclusively = createExclusiveRunner(exclusiveLocks);
  const orderDeps = { database, runExclusively, alertOwners: options.alertOwners };
  const accountDeps: AccountDeps = {
    database,
    modules: provisioners.map(({ module }) => module),
    sandboxes: new Map(),
    publicAddress: async () => null,
    ...options.accounts,
    sealer: createSealer(deriveKey, "carrier-account-secrets"),
    exclusiveLocks,
    putTrunk: (trunk) => putTrunk(carrierDeps, trunk),
    deleteTrunk: dropCarrier,
    onTrunkDeleted: ({ organisationId, carrierId }) => ownCarriers.changed(organisationId, [carrierId]),
    onDisconnecting: (provisioner, account) => endOpenOrders(orderDeps, provisioner, account),
    onRemoved: (tx, account) => leaveAccountNumbers(options.alertOwners, tx, account),
    log,
  };
  const accounts = await runAccounts(accountDeps);
  const usedAccounts = useAccounts(accountDeps);
  const { needsNumber, explainRefusal } = usedAccounts;
  const numbers = runNumbers({
    database,
    carriers,
    carrierInUse: ownCarriers.describeInUse,
    accounts: usedAccounts,
    runExclusively,
    maxNumbers: options.maxNumbers,
    resumeEveryMs: options.accounts?.resumeEveryMs,
    reconcileEveryMs: options.accounts?.reconcileEveryMs,
    log,
  });
  const carrierRecords = runCarrierRecords({ database, accounts: usedAccounts, exclusiveLocks, log });
  const rateDeps: RateDeps = {
    database,
    alertOwners: options.alertOwners,
    modules,
    carrierOf: (organisationId) => carriers.ofOrganisation(organisationId),
    api: createRateReader(accountDeps),
    isSandbox: usedAccounts.isSandbox,
    log,
  };
  const rates = {
    refresh: (call: RatedCall) => refreshRate(rateDeps, call),
    find: (tx: Tx, call: RatedCall) => findRate(tx, rateDeps, call),
  };
  const connections = createMediaConnections(mediaPlane, { processKey });
  const calls = await runCalls({
    database,
    mediaPlane,
    connections,
    carriers,
    explainRefusal,
    callIdIn: usedAccounts.callIdIn,
    callerVerification: usedAccounts.callerVerification,
    needsNumber,
    voicemail,
    rates,
    commands,
    liveEvents,
    sealer: createSealer(deriveKey, "remembered-calls"),
    bounds: options.bounds,
    log,
  });
  const mediaRoutes = mediaConnectionRoutes(connections, options.turn ?? null, calls.owners);
  return {
    routes: [
      ...reachOwner([...calls.routes, ...mediaRoutes], commands),
      ...voicemailRoutes(voicemailDeps),
      ...carrierRoutes({ ...carrierDeps, needsNumber, explainRefusal, rates, alertOwners: options.alertOwners }),
      ...rateRoutes(rateDeps),
      ...accounts.routes,
      ...numbers.routes,
      ...callerIdRoutes({ database, carriers, log }),
      ...carrierRecords.routes,
    ],
    ownCarriers,
    publishEndedCall: (tx, callSid) => publishEndedCall({ carriers }, tx, callSid),
    countLive: calls.countLive,
    async close() {
      await accounts.close();
      await numbers.close();
      await carrierRecords.close();
      await calls.close();
      await voicemail.close();
      await Promise.all([ownCarriers.close(), carriers.close()]);
      await exclusiveLocks.close();
      await commands.close();
    },
  };
}
