import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import type { Call } from "@leadline/contract/calls";
import type { CallStatus } from "@leadline/contract/call-state";
import { afterAll, expect, vi } from "vitest";
import { carrierModules } from "../adapters.ts";
import type { CallBounds } from "../features/calls/run-calls.ts";
import { hostedLoginRoutes } from "../features/hosted-login/hosted-login.routes.ts";
import { type Config, readConfig } from "../config.ts";
import { type StartCalling, startCalling } from "../start/start-calling.ts";
import type { VoicemailBounds } from "../features/voicemail/voicemail-deps.ts";
import { openMediaPlane } from "../media-plane/open-media-plane.ts";
import type { SpreadOptions } from "../media-plane/spread-over-threads.ts";
import { makeOrganisation, registerPerson, testApp, type TestApp, type TestPerson } from "./test-app.ts";

interface TestCalls extends Partial<CallBounds> {
  voicemailBounds?: Partial<VoicemailBounds>;
  maxNumbers?: number;
  databaseUrl?: string;
  rtpengines?: Config["rtpengines"];
  legsBeforeNext?: SpreadOptions["legsBeforeNext"];
  /** As in StartCalling, once the tests have begun. */
  accounts?: () => NonNullable<StartCalling["accounts"]>;
}

const { inboundLimits, mediaTimeoutMs, maxNumbers: defaultMostNumbers } = readConfig({}, { dev: false });
const { maxVoicemails: maxAtOnce, ...inbound } = inboundLimits;

/** The API with calls and numbers over the real media plane, and the sandbox carrier unless another is given. */
export function testAppWithCalls(
  carriers: readonly CarrierModule[] = carrierModules,
  {
    databaseUrl,
    rtpengines = [],
    legsBeforeNext,
    accounts,
    voicemailBounds = {},
    maxNumbers = defaultMostNumbers,
    ...bounds
  }: TestCalls = {},
): TestApp {
  const closers: (() => Promise<void>)[] = [];
  const app = testApp(async ({ database, alertOwners, liveEvents, store, log, signIn }) => {
    const threads = { maxThreads: 2, ...(legsBeforeNext !== undefined && { legsBeforeNext }) };
    const mediaPlane = await openMediaPlane({ rtpengines, mediaAddress: null }, log, threads);
    const { deriveKey } = signIn;
    const carried = { database, alertOwners, mediaPlane, store, carrierModules: carriers, deriveKey, liveEvents, log };
    const calling = await startCalling({
      ...carried,
      ...(accounts && { accounts: accounts() }),
      bounds: { ...inbound, mediaTimeoutMs, ...bounds },
      voicemailBounds: { maxAtOnce, ...voicemailBounds },
      maxNumbers,
    });
    closers.push(async () => {
      await calling.close();
      await mediaPlane.shutDown();
    });
    const routes = [...calling.routes, ...hostedLoginRoutes({ ...signIn, provider: null })];
    return { routes, ownCarriers: calling.ownCarriers };
  }, databaseUrl);
  // Registered after the app's own afterAll, so it runs before the database closes.
  afterAll(async () => {
    for (const close of closers) await close();
    // A database of its own has been removed by now.
    if (databaseUrl === undefined) await forgetIdentities(app);
  });
  return app;
}

const organisations: string[] = [];

/** The next file's peers may get the same ports, and its carriers would be refused as these organisations'. */
async function forgetIdentities({ database }: TestApp): Promise<void> {
  for (const organisationId of organisations.splice(0))
    await database.withTransaction({ organisationId }, (tx) =>
      tx.updateTable("carriers").set({ identity: null }).where("organisation_id", "=", organisationId).execute(),
    );
}

export interface Rep extends TestPerson {
  organisationId: string;
}

/** A user with an organisation of their own. */
export async function newRep(app: TestApp): Promise<Rep> {
  const person = await registerPerson(app);
  const { id } = await makeOrganisation(app, person);
  organisations.push(id);
  return { ...person, organisationId: id };
}

export async function dial(app: TestApp, rep: TestPerson, phoneNumber: string): Promise<string> {
  const started = await app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber } });
  expect(started.statusCode).toBe(201);
  return started.json().callSid;
}

export async function readCall(app: TestApp, rep: TestPerson, callSid: string): Promise<Call> {
  return (await app.ask("GET", `/v1/calls/${callSid}`, { token: rep.token })).json();
}

export function waitForStatus(
  app: TestApp,
  rep: TestPerson,
  which: { callSid: string; status: CallStatus; timeoutMs?: number },
): Promise<Call> {
  return vi.waitFor(
    async () => {
      const call = await readCall(app, rep, which.callSid);
      expect(call.status).toBe(which.status);
      return call;
    },
    { timeout: which.timeoutMs ?? 10_000, interval: 100 },
  );
}
