import type { VendorSandbox } from "@leadline/carrier-sandbox/vendor/vendor-sandbox";
import { serveHere } from "@leadline/adapter-kit/outbound/private-networks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { connectAccount } from "../../../testing/connect-account.ts";
import { ownMigratedDatabase } from "../../../testing/own-database.ts";
import { joinOrganisation, registerPerson } from "../../../testing/test-app.ts";
import { dial, newRep, readCall, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const perSecond = 5;
const dials = 200;
const busyNumber = "+12025550103";
const [first] = provisioners;
if (!first) throw new Error("No vendor is listed.");
const vendor = first.module.id;
// Apps on a shared database resume each other's unfinished work. Another suite's app would process these accounts with
// its own key.
const database = await ownMigratedDatabase();
// Registered before the app's own hook, so it runs after the app has closed.
afterAll(() => database.drop());
let sandbox: VendorSandbox;
beforeAll(async () => {
  sandbox = await first.startSandbox({ file: null, limits: { callsPerSecond: perSecond, channels: 20 } });
  serveHere(sandbox.sip);
});
afterAll(() => sandbox.close());
const app = testAppWithCalls(carrierModules, {
  databaseUrl: database.url,
  // Nobody has a page open, and the last of many calls waits for 44 s.
  unattendedMs: 120_000,
  accounts: () => ({ sandboxes: new Map([[vendor, sandbox]]), publicAddress: async () => null }),
});

/** An owner whose calls go through the vendor's trunk, and the limits that the vendor reports. */
async function connected(limits: { callsPerSecond: number | null; channels: number | null }) {
  const owner = await newRep(app);
  const { token } = owner;
  const { carrierId } = await connectAccount(app, owner, { vendor, sandbox });
  const changed = await app.ask("PUT", `/v1/carriers/${carrierId}`, { token, body: limits });
  expect(changed.json()).toMatchObject(limits);
  const more = { concurrentCalls: dials, callsPerMinute: dials };
  expect(
    (await app.ask("PUT", "/v1/limits", { token, body: { ...more, currentPassword: owner.password } })).statusCode,
  ).toBe(200);
  const join = async (): Promise<Rep> => {
    const { organisationId } = owner;
    const person = await registerPerson(app);
    await joinOrganisation(app, person, { organisationId, role: "member" });
    return { ...person, organisationId };
  };
  return { owner, carrierId, join };
}
const hangUp = (rep: Rep, callSid: string) => app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });

test("an account's trunk starts with the limits that its vendor reports", async () => {
  const owner = await newRep(app);
  const { carrierId } = await connectAccount(app, owner, { vendor, sandbox });
  const carriers = (await app.ask("GET", "/v1/carriers", { token: owner.token })).json();
  expect(carriers).toMatchObject([{ id: carrierId, ...first.module.limits }]);
});

test("200 calls at once on a trunk of 5 a second are told why they wait and all get through, and the vendor refuses none", async () => {
  const { owner, join } = await connected({ callsPerSecond: perSecond, channels: null });
  const { organisationId } = owner;
  const reps = [owner];
  while (reps.length < dials) reps.push(await join());
  const read = () =>
    app.database.withTransaction({ organisationId }, (tx) =>
      tx.selectFrom("calls").select(["status", "waits_for"]).where("organisation_id", "=", organisationId).execute(),
    );
  const before = sandbox.rejections();
  const isShown = vi.waitFor(async () => expect((await read()).map((call) => call.waits_for)).toContain("Calls"), {
    timeout: 60_000,
  });
  await Promise.all([isShown, ...reps.map((rep) => dial(app, rep, busyNumber))]);
  await vi.waitFor(async () => expect((await read()).filter(({ status }) => status === "busy")).toHaveLength(dials), {
    timeout: 250_000,
    interval: 500,
  });
  expect(sandbox.rejections()).toBe(before);
});

test("calls that the vendor refuses because too many came at once are placed a moment later", async () => {
  const { owner, join } = await connected({ callsPerSecond: null, channels: null });
  const reps = [owner];
  while (reps.length < 10) reps.push(await join());
  const before = sandbox.rejections();
  const calls = await Promise.all(reps.map(async (rep) => ({ rep, callSid: await dial(app, rep, "+12025550100") })));
  for (const { rep, callSid } of calls)
    expect(await waitForStatus(app, rep, { callSid, status: "in-progress", timeoutMs: 30_000 })).toMatchObject({
      waitsFor: null,
      refusal: null,
    });
  expect(sandbox.rejections()).toBeGreaterThan(before);
  await Promise.all(calls.map(({ rep, callSid }) => hangUp(rep, callSid)));
});

test("a call waits while all lines are taken, is placed when one is free, and can be hung up meanwhile", async () => {
  const { owner, join } = await connected({ callsPerSecond: null, channels: 1 });
  const [next, last] = [await join(), await join()];
  const talking = await dial(app, owner, "+12025550100");
  await waitForStatus(app, owner, { callSid: talking, status: "in-progress" });
  const waiting = await dial(app, next, "+12025550100");
  const givenUp = await dial(app, last, "+12025550100");
  for (const [rep, callSid] of [
    [next, waiting],
    [last, givenUp],
  ] as const)
    expect(await readCall(app, rep, callSid)).toMatchObject({ status: "queued", waitsFor: "Calls" });
  await hangUp(last, givenUp);
  expect(await waitForStatus(app, last, { callSid: givenUp, status: "canceled" })).toMatchObject({ waitsFor: null });
  await hangUp(owner, talking);
  await waitForStatus(app, next, { callSid: waiting, status: "in-progress" });
  await hangUp(next, waiting);
});
