import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { allowPrivateNetworks } from "@leadline/adapter-kit/outbound/private-networks";
import { startSandboxCrm } from "@leadline/crm-sandbox/server";
import { carrierModules, crmModules } from "./adapters.ts";
import { type Config, StartRefused } from "./config.ts";
import { openDatabase } from "./db/database.ts";
import { startEmbeddedPostgres } from "./db/embedded/start-embedded-postgres.ts";
import { migrate } from "./db/migrate.ts";
import { callOutcomeRoutes } from "./features/call-outcomes/call-outcomes.routes.ts";
import { billingRoutes } from "./features/billing/billing.routes.ts";
import type { RegistrationRules } from "./features/users/register-user.ts";
import { tellSetUpLink } from "./features/users/tell-set-up-link.ts";
import { runCalls } from "./features/calls/run-calls.ts";
import { createLoginProvider } from "./features/hosted-login/login-provider.ts";
import { hostedLoginRoutes } from "./features/hosted-login/hosted-login.routes.ts";
import { pruneHostedLoginsJob } from "./features/hosted-login/prune-hosted-logins.ts";
import { doNotCallRoutes } from "./features/do-not-call/do-not-call.routes.ts";
import { healthRoutes } from "./features/health/health.routes.ts";
import { defaultQuotaBytes } from "./features/files/file-deps.ts";
import { createFileStore } from "./features/files/file-store.ts";
import { fileRoutes } from "./features/files/files.routes.ts";
import { sweepFilesJob } from "./features/files/sweep-files.ts";
import { leadImportRoutes } from "./features/lead-imports/lead-imports.routes.ts";
import { importLeadsJob, resumeLeadImports, resumeLeadImportsJob } from "./features/lead-imports/import-leads-job.ts";
import { createRunningChecks } from "./features/lead-imports/running-checks.ts";
import { openIntegrations } from "./features/integrations/open-integrations.ts";
import { rereadNumbersJob } from "./features/leads/reread-numbers.ts";
import { leadRoutes } from "./features/leads/leads.routes.ts";
import { followUpRoutes } from "./features/follow-ups/follow-ups.routes.ts";
import { limitRoutes } from "./features/limits/limits.routes.ts";
import { liveEventRoutes } from "./features/live-events/live-events.routes.ts";
import { pruneLiveEventsJob } from "./features/live-events/prune-live-events.ts";
import { runLiveEvents } from "./features/live-events/run-live-events.ts";
import { mailInvitationJob } from "./features/members/mail-invitation.ts";
import { memberRoutes } from "./features/members/members.routes.ts";
import { pruneInvitationsJob } from "./features/members/prune-invitations.ts";
import { runNumbers } from "./features/numbers/run-numbers.ts";
import { organisationRoutes } from "./features/organisations/organisations.routes.ts";
import { removeOrganisationJob, resumeRemovals } from "./features/organisations/remove-organisation-job.ts";
import { mailPasswordResetJob } from "./features/passwords/mail-password-reset.ts";
import { passwordRoutes } from "./features/passwords/passwords.routes.ts";
import { prunePasswordResetsJob } from "./features/passwords/prune-password-resets.ts";
import { createAccessTokens } from "./features/sessions/access-tokens.ts";
import { adoptTokens } from "./features/sessions/adopt-tokens.ts";
import { createAuthenticate } from "./features/sessions/authenticate.ts";
import { pruneSessionsJob } from "./features/sessions/prune-sessions.ts";
import { createRefreshTokenChain } from "./features/sessions/refresh-token-chain.ts";
import { countConsentRequest } from "./features/sessions/count-consent-request.ts";
import { sessionRoutes } from "./features/sessions/sessions.routes.ts";
import { statisticsRoutes } from "./features/statistics/statistics.routes.ts";
import { userRoutes } from "./features/users/users.routes.ts";
import { dropOutdatedMessagesJob } from "./features/voicemail/drop-outdated.ts";
import { buildWebApp } from "./http/build-web-app.ts";
import { createHttpServer } from "./http/create-http-server.ts";
import { serveSandboxCrm } from "./http/serve-sandbox-crm.ts";
import { runJobs } from "./jobs/run-jobs.ts";
import type { Log } from "./log.ts";
import { createMailer } from "./mail/create-mailer.ts";
import { createMailedLinks } from "./mail/mailed-links.ts";
import { openMediaPlane } from "./media-plane/open-media-plane.ts";
import { readSecrets } from "./secrets.ts";
import { seedDemo } from "./seed-demo.ts";

export interface Leadline {
  /** Where a browser finds it, with the real port. */
  address: string;
  /** Takes no new requests, ends streams, lets running requests end, and stops every part in reverse order. */
  close(): Promise<void>;
}

/** Wires and starts everything; what it started stops again should a later part fail. */
export async function startLeadline(config: Config, log: Log): Promise<Leadline> {
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) {
      await Promise.resolve(closer()).catch((error: unknown) =>
        log.error({ err: error }, "a part did not stop cleanly"),
      );
    }
  };
  try {
    return { address: await start(config, log, closers), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(config: Config, log: Log, closers: (() => unknown)[]): Promise<string> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o711 });
  allowPrivateNetworks(config.privateNetworks);
  const deriveKey = readSecrets(config);
  // While somebody works on it, Vite serves it.
  const building = config.dev ? Promise.resolve(null) : buildWebApp(log);
  // Should the database fail first, its sentence is the one to show.
  building.catch(() => {});
  // Its worker loads while the database starts.
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
  const mailPasswordReset = mailPasswordResetJob({ database, mailer, links });
  const mailInvitation = mailInvitationJob({ database, mailer, links });
  const store = createFileStore(config.dataDir);
  const importLeads = importLeadsJob({ database, store, log });
  const rereadNumbers = rereadNumbersJob(database);
  const { publicUrl, environment } = config;
  const sandboxFile = join(config.dataDir, "sandbox-crm.json");
  const sandbox = config.sandboxCrm ? await startSandboxCrm({ file: sandboxFile, publicUrl }) : null;
  closers.push(() => sandbox?.close());
  const integrations = openIntegrations({ database, deriveKey, crmModules, environment, sandbox, publicUrl, log });
  closers.push(() => integrations.close());
  const removeOrganisation = removeOrganisationJob({
    database,
    store,
    removeEveryIntegration: integrations.removeEveryIntegration,
  });
  const jobList = [
    pruneLiveEventsJob(database),
    pruneSessionsJob(database),
    prunePasswordResetsJob(database),
    pruneHostedLoginsJob(database),
    pruneInvitationsJob(database),
    mailPasswordReset,
    mailInvitation,
    importLeads,
    resumeLeadImportsJob({ database }, importLeads),
    rereadNumbers,
    removeOrganisation,
    ...integrations.jobs,
    sweepFilesJob({ database, store }),
    dropOutdatedMessagesJob({ database, store }),
  ];
  const startingJobs = runJobs(ownerUrl, jobList, log);
  startingJobs.catch(() => {});
  closers.push(async () => (await startingJobs).close());
  const liveEvents = await runLiveEvents(database, log);
  closers.push(() => liveEvents.close());

  if (config.dev) await seedDemo(database);

  const mediaPlane = await openingMediaPlane;
  const { openStreams } = liveEvents;
  const { turn, mediaTimeoutMs } = config;
  const { callsPerMinute: callsInAMinute, ringing: mostRinging, voicemails: mostAtOnce } = config.inboundLimits;
  const bounds = { callsInAMinute, mostRinging, mediaTimeoutMs, voicemailBounds: { mostAtOnce } };
  const carried = { database, mediaPlane, store, carrierModules, deriveKey, turn, liveEvents };
  const calls = await runCalls({ ...carried, ...bounds, log });
  closers.push(() => calls.close());
  await calls.openOwnCarriers();
  const numbers = runNumbers({ database, carriers: calls.carriers, log });
  closers.push(() => numbers.close());

  const accessTokens = createAccessTokens(deriveKey);
  const refreshTokens = createRefreshTokenChain(deriveKey);
  await adoptTokens(database, refreshTokens);
  const provider = config.oidc && createLoginProvider(config.oidc, address.promise);
  const jobs = await startingJobs;
  const leadImports = { database, store, jobs, job: importLeads, checks: createRunningChecks() };
  await resumeLeadImports({ database }, { jobs, job: importLeads, idleMs: 0 });
  await integrations.resume(jobs);
  await resumeRemovals({ database }, { jobs, job: removeOrganisation });
  const setUp = links.tokenOf("set-up", "first account");
  const registrationRules: RegistrationRules = {
    registration: config.registration,
    setUpHash: links.hash(setUp),
    confirmByMail: (tx, email) =>
      jobs.enqueue(tx, mailPasswordReset, { resetId: randomUUID(), email, registering: true }),
  };
  const app = await createHttpServer({
    routes: [
      ...sessionRoutes({ database, accessTokens, refreshTokens, registrationRules }),
      ...userRoutes({ database }),
      ...organisationRoutes({ database, jobs, rereadNumbers, removeOrganisation, ownCarriers: calls.ownCarriers }),
      ...hostedLoginRoutes({
        database,
        accessTokens,
        refreshTokens,
        deriveKey,
        provider,
        registration: config.registration,
      }),
      ...passwordRoutes({ database, jobs, links, mailPasswordReset }),
      ...billingRoutes({ database }),
      ...limitRoutes({ database }),
      ...memberRoutes({ database, jobs, links, mailInvitation, mailer }),
      ...liveEventRoutes({ database, openStreams, log }),
      ...callOutcomeRoutes({ database }),
      ...followUpRoutes({ database }),
      ...doNotCallRoutes({ database }),
      ...statisticsRoutes({ database }),
      ...calls.routes,
      ...integrations.routes(jobs),
      ...healthRoutes({ database }),
      ...numbers.routes,
      ...leadRoutes({ database }),
      ...fileRoutes({ database, store, quotaBytes: defaultQuotaBytes }),
      ...leadImportRoutes(leadImports),
    ],
    authenticate: createAuthenticate({ database, accessTokens }),
    log,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    metricsToken: config.metricsToken,
    readings: [
      { name: "leadline_live_calls", help: "Calls carried by this process now", read: calls.countLive },
      {
        name: "leadline_event_streams",
        help: "Live-event streams open now, one a tab",
        read: () => openStreams.all().length,
      },
    ],
    webRoot: await building,
  });
  if (sandbox !== null) serveSandboxCrm(app, sandbox, (ip) => countConsentRequest(database, ip));
  // A stream never ends by itself, and the server waits for what is open.
  app.addHook("preClose", async () => liveEvents.endStreams());
  closers.push(() => app.close());
  const listening = await listen(app, config);
  address.resolve(listening);
  if (config.registration !== "open") await tellSetUpLink(database, log, await links.url("/register", setUp));
  // It may start later than Leadline does; whoever set it up sees at once whether it answers.
  provider?.lookUp().catch((error: unknown) => log.warn({ err: error }, "the OIDC_ISSUER does not answer"));
  return listening;
}

async function startEmbedded(config: Config, log: Log, closers: (() => unknown)[]): Promise<string> {
  const postgres = await startEmbeddedPostgres(config, log);
  closers.push(() => postgres.stop());
  return postgres.url;
}

async function listen(app: Awaited<ReturnType<typeof createHttpServer>>, config: Config): Promise<string> {
  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EADDRINUSE")
      throw new StartRefused(`PORT ${config.port} is taken by another program. Set another PORT.`);
    if (code === "EACCES")
      throw new StartRefused(`PORT ${config.port} needs more rights than this user has. Set another PORT.`);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new StartRefused(`HOST ${config.host} is no address of this machine.`);
    throw error;
  }
  const bound = app.server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : config.port;
  const wildcard = /^(0\.0\.0\.0|::|127\.0\.0\.1|::1|localhost)$/.test(config.host);
  return config.publicUrl?.origin ?? `http://${wildcard ? "localhost" : config.host}:${port}`;
}
