import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PaymentModule } from "@leadline/adapter-kit/payment";
import type { Endpoint } from "@leadline/contract/endpoint";
import { endpoints as contract } from "@leadline/contract/endpoints";
import type { Role } from "@leadline/contract/organisations";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll } from "vitest";
import type { Database } from "../db/database.ts";
import { auditLogRoutes } from "../features/audit-log/audit-log.routes.ts";
import { billingRoutes } from "../features/billing/billing.routes.ts";
import { createFileStore, type FileStore } from "../features/files/file-store.ts";
import { removeStoredFilesJob } from "../features/files/remove-stored-files-job.ts";
import { fileRoutes } from "../features/files/files.routes.ts";
import { leadImportRoutes } from "../features/lead-imports/lead-imports.routes.ts";
import { importLeadsJob } from "../features/lead-imports/import-leads-job.ts";
import { changeLeadsJob } from "../features/lead-changes/change-leads-job.ts";
import { leadChangeRoutes } from "../features/lead-changes/lead-changes.routes.ts";
import { rereadNumbersJob } from "../features/leads/numbers/reread-numbers.ts";
import { createRunningChecks } from "../features/lead-imports/running-checks.ts";
import { leadConflictRoutes } from "../features/lead-conflicts/lead-conflicts.routes.ts";
import { leadTimelineRoutes } from "../features/lead-timeline/lead-timeline.routes.ts";
import { matchJoinedOwnerJob, orderMatching } from "../features/leads/owners/match-joined-owner.ts";
import type { JoinHook } from "../features/members/accept-invitation.ts";
import { leadViewRoutes } from "../features/lead-views/lead-views.routes.ts";
import { crmOwnerRoutes } from "../features/integrations/crm-owners.routes.ts";
import { reassignOwnedLeadsJob } from "../features/leads/owners/reassign-owned-leads.ts";
import { leadRoutes } from "../features/leads/leads.routes.ts";
import { callOutcomeRoutes } from "../features/call-outcomes/call-outcomes.routes.ts";
import { doNotCallRoutes } from "../features/do-not-call/do-not-call.routes.ts";
import { followUpRoutes } from "../features/follow-ups/follow-ups.routes.ts";
import { limitRoutes } from "../features/limits/limits.routes.ts";
import type { HostedLoginDeps } from "../features/hosted-login/hosted-login-deps.ts";
import { liveEventRoutes } from "../features/live-events/live-events.routes.ts";
import { type LiveEvents, runLiveEvents } from "../features/live-events/run-live-events.ts";
import type { OwnCarriers } from "../features/carriers/own-carriers.ts";
import { removeEveryIntegration } from "../features/integrations/connect/remove-every-integration.ts";
import { organisationRoutes } from "../features/organisations/organisations.routes.ts";
import { removeOrganisationJob } from "../features/organisations/remove-organisation-job.ts";
import { healthRoutes } from "../features/health/health.routes.ts";
import { createAccessTokens } from "../features/sessions/access-tokens.ts";
import { createAuthenticate } from "../features/sessions/authenticate.ts";
import { createRefreshTokenChain } from "../features/sessions/refresh-token-chain.ts";
import { personalDataRoutes } from "../features/personal-data/personal-data.routes.ts";
import { registrationRoutes } from "../features/registration/registration.routes.ts";
import { sessionRoutes } from "../features/sessions/sessions.routes.ts";
import { paymentModules } from "../adapters.ts";
import type { AlertOwners } from "../features/members/alert-owners.ts";
import { openTopUps } from "../features/top-ups/run-top-ups.ts";
import { statisticsRoutes } from "../features/statistics/statistics.routes.ts";
import { onCountryChanged } from "../start/on-country-changed.ts";
import { organisationHooks } from "../start/organisation-hooks.ts";
import { userRoutes } from "../features/users/users.routes.ts";
import { createHttpServer } from "../http/create-http-server.ts";
import { openIncomingFolder } from "../http/incoming-folder.ts";
import type { Route } from "../http/route.ts";
import { createLog, type Log } from "../log.ts";
import { jobsOnDemand } from "./jobs-on-demand.ts";
import { type TestCrm, testCrm } from "./test-crm.ts";
import { testDatabase } from "./test-database.ts";
import type { ReceivedMail } from "./mail-server.ts";
import { testMail } from "./test-mail.ts";

export interface TestApp {
  readonly http: FastifyInstance;
  readonly liveEvents: LiveEvents;
  database: Database;
  /** The newest mail to that address, once the run's mail server has received it. */
  mailTo(address: string): Promise<ReceivedMail>;
  crm: TestCrm;
  store: FileStore;
  /** A request below /api, authenticated or anonymous. */
  ask(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    options?: AskOptions,
  ): Promise<LightMyRequestResponse>;
}

interface AskOptions {
  token?: string;
  body?: object;
  /** Sent as multipart/form-data. */
  form?: FormData;
  /** Sent as application/x-www-form-urlencoded. */
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  /** The client's address; by default a new one each time, so that suites don't throttle each other. */
  ip?: string;
}

/** Shown on receipts. */
export const testSeller = { lines: ["Łódź Phones Ltd", "1 Main Street"], tax: { name: "VAT", percent: 19 } };

/** Small, so that a test can exceed it. */
export const testQuotaBytes = 100_000;

interface More {
  routes: readonly Route[];
  ownCarriers: Pick<OwnCarriers, "changed">;
}
interface MoreDeps {
  database: Database;
  alertOwners: AlertOwners;
  liveEvents: LiveEvents;
  store: FileStore;
  log: Log;
  signIn: Omit<HostedLoginDeps, "provider">;
}
/** Without a media plane, no carrier is open. */
const noCarriers: More["ownCarriers"] = { changed: async () => {} };

/** Two apps in one test file are two processes of one installation. */
const key = randomBytes(32);
const deriveKey = () => key;

/**
 * The API over the run's database or another, validating every response against the contract. `more` adds a feature's
 * routes.
 */
export function testApp(
  more?: (deps: MoreDeps) => readonly Route[] | Promise<readonly Route[] | More>,
  databaseUrl?: string,
  payments: readonly PaymentModule[] = paymentModules,
): TestApp {
  const database = testDatabase(databaseUrl);
  const log = createLog("fatal");
  const dataDir = mkdtempSync(join(tmpdir(), "leadline-files-"));
  const store = createFileStore(dataDir);
  const importLeads = importLeadsJob({ database, store, log }, `import-leads-${randomUUID()}`);
  const rereadNumbers = rereadNumbersJob(database);
  const changeLeads = changeLeadsJob(database, log, `change-leads-${randomUUID()}`);
  const reassignOwnedLeads = reassignOwnedLeadsJob(database, `reassign-owned-leads-${randomUUID()}`);
  const matchJoinedOwner = matchJoinedOwnerJob(database, `match-joined-owner-${randomUUID()}`);
  const onJoined: JoinHook["onJoined"] = (tx, joined) => orderMatching(tx, { jobs, job: matchJoinedOwner }, joined);
  const mail = testMail({ database, deriveKey, log, onJoined }, databaseUrl);
  const { alertOwners } = mail;
  const crm = testCrm({ database, deriveKey, log }, databaseUrl);
  let ownCarriers = noCarriers;
  const hooks = organisationHooks({
    database,
    store,
    ownCarriers: () => ownCarriers,
    removeEveryIntegration: (organisationId) => removeEveryIntegration(crm.openDeps(), organisationId),
  });
  const removeOrganisation = removeOrganisationJob({ database, hooks }, `remove-organisation-${randomUUID()}`);
  const removeStoredFiles = removeStoredFilesJob({ store }, `remove-stored-files-${randomUUID()}`);
  const ordered = [importLeads, rereadNumbers, changeLeads, matchJoinedOwner, reassignOwnedLeads, removeOrganisation];
  const jobs = jobsOnDemand([...ordered, removeStoredFiles], log, databaseUrl);
  let started: { http: FastifyInstance; liveEvents: LiveEvents } | undefined;
  const running = () => {
    if (started === undefined) throw new Error("the test app starts in beforeAll");
    return started;
  };
  beforeAll(async () => {
    const liveEvents = await runLiveEvents(database, log);
    const accessTokens = createAccessTokens(deriveKey);
    const sessions = { database, accessTokens, refreshTokens: createRefreshTokenChain(deriveKey), deriveKey };
    const added = (await more?.({ database, alertOwners, liveEvents, store, log, signIn: sessions })) ?? [];
    const topUps = testTopUps({ database, alertOwners, dataDir, log, modules: payments });
    const others = "routes" in added ? added.routes : added;
    if ("routes" in added) ownCarriers = added.ownCarriers;
    const routes = [
      ...registrationRoutes({ database }),
      ...sessionRoutes(sessions),
      ...userRoutes({ database }),
      ...organisationRoutes({
        database,
        jobs,
        removeOrganisation,
        hooks,
        onCountryChanged: onCountryChanged({ jobs, job: rereadNumbers }),
      }),
      ...logAndBilling({ database, alertOwners }),
      ...limitRoutes({ database, alertOwners }),
      ...topUps.routes,
      ...(await mail.start()),
      ...liveEventRoutes({ database, openStreams: liveEvents.openStreams, log }),
      ...callOutcomeRoutes({ database }),
      ...followUpRoutes({ database }),
      ...doNotCallRoutes({ database }),
      ...statisticsRoutes({ database }),
      ...healthRoutes({ database }),
      ...(await crm.start()),
      ...crmOwnerRoutes({ database, jobs, job: reassignOwnedLeads }),
      ...leadRoutes({ database }),
      ...leadTimelineRoutes({ database }),
      ...leadViewRoutes({ database }),
      ...leadConflictRoutes({ database }),
      ...leadChangeRoutes({ database, jobs, job: changeLeads }),
      ...fileRoutes({ database, store, quotaBytes: testQuotaBytes }),
      ...personalDataRoutes({ database, store, jobs, removeStoredFiles }),
      ...leadImportRoutes({ database, store, jobs, job: importLeads, checks: createRunningChecks() }),
      ...others,
    ];
    const endpoints = entriesOf(routes);
    const authenticate = createAuthenticate({ database, accessTokens });
    const uploadFolder = openIncomingFolder(dataDir);
    const http = await createHttpServer({ routes, endpoints, authenticate, log, uploadFolder, checkAnswers: true });
    http.addHook("preClose", async () => liveEvents.endStreams());
    started = { http, liveEvents };
  });
  afterAll(async () => {
    await started?.http.close();
    await jobs.close();
    await started?.liveEvents.close();
    await mail.stop();
    await crm.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    get http() {
      return running().http;
    },
    get liveEvents() {
      return running().liveEvents;
    },
    database,
    mailTo: mail.to,
    crm,
    store,
    async ask(method, path, { token, body, form, fields, headers, ip = randomAddress() } = {}) {
      const request: InjectOptions = { method, url: `/api${path}`, remoteAddress: ip };
      request.headers = { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
      if (body !== undefined) request.payload = body;
      const encodable = form ?? (fields && new URLSearchParams(fields));
      if (encodable !== undefined) {
        const encoded = new Response(encodable);
        request.headers = { ...request.headers, "content-type": encoded.headers.get("content-type") ?? "" };
        request.payload = Buffer.from(await encoded.arrayBuffer());
      }
      return running().http.inject(request);
    },
  };
}

const logAndBilling = (deps: { database: Database; alertOwners: AlertOwners }) => [
  ...auditLogRoutes(deps),
  ...billingRoutes(deps),
];

const testTopUps = (
  given: Pick<Parameters<typeof openTopUps>[0], "database" | "alertOwners" | "dataDir" | "log" | "modules">,
) => openTopUps({ ...given, environment: {}, publicUrl: null, seller: testSeller });

const entriesOf = (routes: readonly Route[]): Record<string, Endpoint> =>
  Object.fromEntries(Object.entries(contract).filter(([, entry]) => routes.some((route) => route.endpoint === entry)));

export const randomAddress = (): string => `10.${[...randomBytes(3)].join(".")}`;

export interface TestPerson {
  id: string;
  email: string;
  password: string;
  token: string;
  refreshToken: string;
}

export async function registerPerson(app: TestApp): Promise<TestPerson> {
  const email = `${randomUUID()}@example.com`;
  const password = `pass ${randomUUID()}`;
  const body = { firstName: "Robin", lastName: "Tester", email, password };
  const registered = await app.ask("POST", "/v1/register", { body });
  return { id: registered.json().id, email, password, ...(await signIn(app, { email, password })) };
}

export async function signIn(
  app: TestApp,
  by: { email: string; password: string },
): Promise<{ token: string; refreshToken: string }> {
  const signedIn = await app.ask("POST", "/v1/login", { body: by });
  return { token: signedIn.json().token, refreshToken: signedIn.json().refresh_token };
}

/** Owned by the user, and their active organisation from now on. */
export async function makeOrganisation(app: TestApp, person: TestPerson): Promise<{ id: string; name: string }> {
  const name = `Organisation ${randomUUID()}`;
  const made = await app.ask("POST", "/v1/organisations", { token: person.token, body: { name } });
  return { id: made.json().id, name };
}

/** Adds another user as a member and makes this their active organisation. */
export async function joinOrganisation(
  app: TestApp,
  person: TestPerson,
  as: { organisationId: string; role: Role },
): Promise<void> {
  const { organisationId, role } = as;
  await app.database.withTransaction({ organisationId }, (tx) =>
    tx.insertInto("memberships").values({ organisation_id: organisationId, user_id: person.id, role }).execute(),
  );
  await app.ask("PUT", `/v1/users/set-organisation/${organisationId}`, { token: person.token });
}
