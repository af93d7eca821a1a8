import { mkdirSync } from "node:fs";
import { allowPrivateNetworks } from "@leadline/adapter-kit/outbound/private-networks";
import { carrierModules } from "./adapters.ts";
import type { Config } from "./config.ts";
import { openDatabase } from "./db/database.ts";
import { startEmbeddedPostgres } from "./db/embedded/start-embedded-postgres.ts";
import { migrate } from "./db/migrate.ts";
import { logSetUpLink } from "./features/registration/log-set-up-link.ts";
import { createLoginProvider } from "./features/hosted-login/login-provider.ts";
import { assignServers } from "./features/carriers/server-owners.ts";
import { createFileStore } from "./features/files/file-store.ts";
import { resumeLeadImports } from "./features/lead-imports/import-leads-job.ts";
import { runLiveEvents } from "./features/live-events/run-live-events.ts";
import { resumeRemovals } from "./features/organisations/remove-organisation-job.ts";
import { createAccessTokens } from "./features/sessions/access-tokens.ts";
import { createAuthenticate } from "./features/sessions/authenticate.ts";
import { createRefreshTokenChain } from "./features/sessions/refresh-token-chain.ts";
import { countAdapterPage } from "./features/attempts/count-adapter-page.ts";
import { buildWebApp } from "./http/build-web-app.ts";
import { createHttpServer } from "./http/create-http-server.ts";
import { openIncomingFolder } from "./http/incoming-folder.ts";
import { serveAdapterRoutes } from "./http/serve-adapter-routes.ts";
import { type Jobs, runJobs } from "./jobs/run-jobs.ts";
import type { Log } from "./log.ts";
import { createMailer } from "./mail/create-mailer.ts";
import { createMailedLinks } from "./mail/mailed-links.ts";
import { openMediaPlane } from "./media-plane/open-media-plane.ts";
import { readSecrets } from "./secrets.ts";
import { seedDemo } from "./seed-demo.ts";
import { appRoutes } from "./start/app-routes.ts";
import { defineJobs, type Work } from "./start/define-jobs.ts";
import { listen } from "./start/listen.ts";
import { organisationHooks } from "./start/organisation-hooks.ts";
import { type AlertOwners, createAlertOwners } from "./features/members/alert-owners.ts";
import { type Calling, startCalling } from "./start/start-calling.ts";
import { sendSandboxWebhooks } from "./start/send-sandbox-webhooks.ts";
import { openAccounts } from "./start/start-vendor-sandboxes.ts";
import { type StartIntegrations, startIntegrations } from "./start/start-integrations.ts";
import { startPayments } from "./start/start-payments.ts";
import { startSandboxCrms } from "./start/start-sandbox-crms.ts";

export interface Leadline {
  /** Its address in a browser, with the actual port. */
  address: string;
  /** Takes no new requests, ends streams, lets running requests end, and stops every part in reverse order. */
  close(): Promise<void>;
}

interface Parts {
  /** A measurement has other CRMs than the built-in ones, in a process of their own. */
  startSandboxes: StartIntegrations["startSandboxes"];
}

/** Wires and starts everything. If a part fails to start, stops the ones before it. */
export async function startLeadline(
  config: Config,
  log: Log,
  parts: Parts = { startSandboxes: startSandboxCrms },
): Promise<Leadline> {
  allowPrivateNetworks(config.privateNetworks);
  assignServers(config.carrierOwners);
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) {
      await Promise.resolve(closer()).catch((error: unknown) =>
        log.error({ err: error }, "a part did not stop cleanly"),
      );
    }
  };
  try {
    return { address: await start({ config, log, ...parts }, closers), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  { config, log, startSandboxes }: { config: Config; log: Log } & Parts,
  closers: (() => unknown)[],
): Promise<string> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o711 });
  const deriveKey = readSecrets(config);
  // In development, Vite serves it.
  const building = config.dev ? Promise.resolve(null) : buildWebApp(log);
  // If the database fails first, its message is the one to show.
  building.catch(() => {});
  // The worker loads while the database starts.
  const openingMediaPlane = openMediaPlane(config, log);
  openingMediaPlane.catch(() => {});
  closers.push(async () => (await openingMediaPlane).shutDown());

  const ownerUrl = config.databaseUrl ?? (await startEmbedded(config, log, closers));
  await migrate(ownerUrl);
  const database = openDatabase(ownerUrl, log);
  closers.push(() => database.close());
  const address = Promise.withResolvers<string>();
  if (config.publicUrl) address.resolve(config.publicUrl.origin);
  const mailer = createMailer(config, log);
  closers.push(() => mailer.close());
  const links = createMailedLinks(deriveKey, address.promise);
  const store = createFileStore(config.dataDir);
  const integrations = await startIntegrations({ config, database, deriveKey, log, startSandboxes }, closers);
  const alertOwners: AlertOwners = async (...alert) => alertVia(await startingJobs, work)(...alert);
  const payments = startPayments({ config, database, alertOwners, log }, closers);
  let calling: Calling | undefined;
  const hooks = organisationHooks({
    database,
    store,
    ownCarriers: () => calling?.ownCarriers,
    removeEveryIntegration: integrations.removeEveryIntegration,
  });
  const work = defineJobs({ database, mailer, links, store, hooks, integrations, log });
  const startingJobs = runJobs(ownerUrl, work.all, log);
  startingJobs.catch(() => {});
  closers.push(async () => (await startingJobs).close());
  const liveEvents = await runLiveEvents(database, log);
  closers.push(() => liveEvents.close());

  if (config.dev) await seedDemo(database);

  const mediaPlane = await openingMediaPlane;
  const { maxVoicemails, ...inbound } = config.inboundLimits;
  calling = await startCalling({
    database,
    alertOwners,
    mediaPlane,
    store,
    carrierModules,
    deriveKey,
    turn: config.turn,
    accounts: await openAccounts(config, closers),
    liveEvents,
    bounds: { ...inbound, mediaTimeoutMs: config.mediaTimeoutMs },
    voicemailBounds: { maxAtOnce: maxVoicemails },
    maxNumbers: config.maxNumbers,
    log,
  });
  closers.push(calling.close);
  await calling.ownCarriers.openAll();

  const jobs = await startingJobs;
  await resumeLeadImports({ database }, { jobs, job: work.importLeads, idleMs: 0 });
  await integrations.resume(jobs);
  await resumeRemovals({ database }, { jobs, job: work.removeOrganisation });
  const refreshTokens = createRefreshTokenChain(deriveKey);
  const accessTokens = createAccessTokens(deriveKey);
  const provider = config.oidc && createLoginProvider(config.oidc, address.promise);
  const setUp = links.tokenOf("set-up", "first account");
  const { countLive, publishEndedCall } = calling;
  const writing = integrations.writeToCrms(publishEndedCall);
  closers.push(() => writing.close());
  const { openStreams } = liveEvents;
  const app = await createHttpServer({
    routes: [
      ...appRoutes({
        database,
        jobs,
        work,
        hooks,
        store,
        links,
        mailer,
        signIn: { accessTokens, refreshTokens, deriveKey, provider, registration: config.registration },
        setUpHash: links.hash(setUp),
        openStreams,
        log,
      }),
      ...calling.routes,
      ...integrations.routes({ jobs, publishCall: publishEndedCall }),
      ...payments.routes,
    ],
    authenticate: createAuthenticate({ database, accessTokens }),
    log,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    uploadFolder: openIncomingFolder(config.dataDir, closers),
    metricsToken: config.metricsToken,
    readings: readingsOf(countLive, () => openStreams.all().length),
    webRoot: await building,
  });
  serveAdapterRoutes(app, [...integrations.adapterRoutes, ...payments.adapterRoutes], {
    publicUrl: config.publicUrl,
    countPage: (ip) => countAdapterPage(database, ip),
  });
  // A stream never ends on its own, and the server waits for open requests.
  app.addHook("preClose", async () => liveEvents.endStreams());
  closers.push(() => app.close());
  const listening = await listen(app, config);
  address.resolve(listening);
  sendSandboxWebhooks(app, integrations.sandboxes, listening);
  if (config.registration !== "open") await logSetUpLink(database, log, await links.url("/register", setUp));
  // The provider may start later than Leadline. The log shows the administrator at once whether it responds.
  provider?.lookUp().catch((error: unknown) => log.warn({ err: error }, "the OIDC_ISSUER does not respond"));
  return listening;
}

/** The queue starts later than the features that use it. */
const alertVia = (jobs: Jobs, { mailOwnerAlert }: Work): AlertOwners => createAlertOwners(jobs, mailOwnerAlert);

const readingsOf = (countCalls: () => number, countStreams: () => number) => [
  { name: "leadline_live_calls", help: "Calls carried by this process now", read: countCalls },
  { name: "leadline_event_streams", help: "Live-event streams open now, one a tab", read: countStreams },
];

async function startEmbedded(config: Config, log: Log, closers: (() => unknown)[]): Promise<string> {
  const postgres = await startEmbeddedPostgres(config, log);
  closers.push(() => postgres.stop());
  return postgres.url;
}
