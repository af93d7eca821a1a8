import type { VendorSandbox } from "@leadline/carrier-sandbox/vendor/vendor-sandbox";
import { serveHere } from "@leadline/adapter-kit/outbound/private-networks";
import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { buyNumber, connectAccount } from "../../../testing/connect-account.ts";
import { ownMigratedDatabase } from "../../../testing/own-database.ts";
import { joinOrganisation, registerPerson } from "../../../testing/test-app.ts";
import { dial, newRep, readCall, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const perSecond = 5;
const dials = 200;
const busyNumber = "+12025550103";
const [first, slow] = provisioners;
if (!first || !slow) throw new Error("Two vendors are needed.");
const vendor = first.module.id;
// Apps on a shared database resume each other's unfinished work. Another suite's app would process these accounts with
// its own key.
const database = await ownMigratedDatabase();
// Registered before the app's own hook, so it runs after the app has closed.
afterAll(() => database.drop());
let sandbox: VendorSandbox;
/** Of the other vendor: a second call within a second is one too many, however slowly this machine sends it. */
let slowSandbox: VendorSandbox;
beforeAll(async () => {
  slowSandbox = await slow.startSandbox({ file: null, limits: { callsPerSecond: 1, channels: null } });
  serveHere(slowSandbox.sipOverTls.address);
  sandbox = await first.startSandbox({ file: null, limits: { callsPerSecond: perSecond, channels: 20 } });
  serveHere(sandbox.sip);
});
afterAll(() => Promise.all([sandbox.close(), slowSandbox.close()]));
const app = testAppWithCalls(carrierModules, {
  databaseUrl: database.url,
  // Nobody has a page open, and the last of many calls waits for 44 s.
  unattendedMs: 120_000,
  accounts: () => ({
    sandboxes: new Map([
      [vendor, sandbox],
      [slow.module.id, slowSandbox],
    ]),
    publicAddress: async () => null,
  }),
});

/** An owner whose calls go through the vendor's trunk, and the limits that the vendor reports. */
async function connected(
  limits: { callsPerSecond: number | null; channels: number | null },
  there = { vendor, sandbox },
) {
  const owner = await newRep(app);
  const { token } = owner;
  const account = await connectAccount(app, owner, there);
  const { carrierId } = account;
  await buyNumber(app, owner, account);
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
  const there = { vendor: slow.module.id, sandbox: slowSandbox };
  const { owner, join } = await connected({ callsPerSecond: null, channels: null }, there);
  const reps = [owner, await join(), await join()];
  const calls = await Promise.all(reps.map(async (rep) => ({ rep, callSid: await dial(app, rep, "+12025550100") })));
  for (const { rep, callSid } of calls)
    expect(await waitForStatus(app, rep, { callSid, status: "in-progress", timeoutMs: 30_000 })).toMatchObject({
      waitsFor: null,
      refusal: null,
    });
  expect(slowSandbox.rejections()).toBeGreaterThan(0);
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

test("calls that wait for a line get it in the order in which they were made, before a new call", async () => {
  const { owner, join } = await connected({ callsPerSecond: null, channels: 1 });
  const reps = [owner, await join(), await join(), await join()];
  const calls: { rep: Rep; callSid: string }[] = [];
  for (const rep of reps) {
    // The last call is made when a line has just become free.
    if (calls.length === reps.length - 1) await hangUp(owner, calls[0]?.callSid ?? "");
    calls.push({ rep, callSid: await dial(app, rep, "+12025550100") });
    if (rep === owner) await waitForStatus(app, owner, { callSid: calls[0]?.callSid ?? "", status: "in-progress" });
  }
  for (const [index, { rep, callSid }] of calls.entries()) {
    if (index === 0) continue;
    await waitForStatus(app, rep, { callSid, status: "in-progress" });
    for (const later of calls.slice(index + 1))
      expect(await readCall(app, later.rep, later.callSid)).toMatchObject({ status: "queued", waitsFor: "Calls" });
    await hangUp(rep, callSid);
  }
});

/** The carrier takes its next new call in so many seconds. */
async function putTurnOf(
  { organisationId, carrierId }: { organisationId: string; carrierId: string | null },
  seconds: number,
): Promise<void> {
  const at = new Date(Date.now() + seconds * 1_000).toISOString();
  await app.database.withTransaction({ organisationId }, (tx) =>
    tx.updateTable("trunk_lines").set({ next_call_at: at }).where("carrier_id", "=", carrierId).execute(),
  );
}

test("a call whose wait can't be stored ends, and gives its channel back", async () => {
  const { owner, carrierId, join } = await connected({ callsPerSecond: 1, channels: 5 });
  const { organisationId, token } = owner;
  const label = "Unstorable";
  expect((await app.ask("PUT", `/v1/carriers/${carrierId}`, { token, body: { label } })).json()).toMatchObject({
    label,
  });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(async () => {
    await client.query("alter table calls drop constraint unstorable");
    await client.end();
  });
  await client.query(`alter table calls add constraint unstorable check (waits_for is distinct from '${label}')`);
  const next = await join();
  // The first call of a carrier makes the row of its turns.
  await hangUp(owner, await dial(app, owner, "+12025550100"));
  await putTurnOf({ organisationId, carrierId }, 3);
  const body = { phoneNumber: "+12025550100" };
  expect((await app.ask("POST", "/v1/calls", { token: next.token, body })).statusCode).toBe(500);
  const [call] = (await app.ask("GET", "/v1/calls", { token: next.token })).json();
  expect(call).toMatchObject({ status: "failed", cause: { reason: "error" } });

  const holds = await app.database.withTransaction({ organisationId }, (tx) =>
    tx.selectFrom("trunk_line_holds").select("id").where("carrier_id", "=", carrierId).execute(),
  );
  expect(holds).toEqual([]);
});

test("a call whose turn comes in more than a minute doesn't take it, and goes to the backup carrier if there is one", async () => {
  const { owner, carrierId } = await connected({ callsPerSecond: 1, channels: null });
  const { organisationId, token } = owner;
  const turns = () =>
    app.database.withTransaction({ organisationId }, async (tx) =>
      (await tx.selectFrom("trunk_lines").selectAll().where("carrier_id", "=", carrierId).execute()).map(
        ({ next_call_at: next }) => Date.parse(next),
      ),
    );
  const putTurn = (seconds: number) => putTurnOf({ organisationId, carrierId }, seconds);
  const called = await dial(app, owner, busyNumber);
  await waitForStatus(app, owner, { callSid: called, status: "busy" });
  await putTurn(300);
  const before = await turns();
  const waiting = await dial(app, owner, busyNumber);
  expect(await readCall(app, owner, waiting)).toMatchObject({ status: "queued", waitsFor: "Calls" });
  expect(await turns()).toEqual(before);
  await putTurn(0);
  await waitForStatus(app, owner, { callSid: waiting, status: "busy" });

  const backup = await connectAccount(app, owner, { vendor: slow.module.id, sandbox: slowSandbox });
  await buyNumber(app, owner, backup);
  await app.ask("PUT", "/v1/carriers/order", { token, body: { ids: [carrierId, backup.carrierId] } });
  await putTurn(300);
  const moved = await dial(app, owner, busyNumber);
  await waitForStatus(app, owner, { callSid: moved, status: "busy" });
});

test("with every carrier's lines in use, a call takes the first line that is free, also of the first carrier", async () => {
  const { owner, carrierId, join } = await connected({ callsPerSecond: null, channels: 1 });
  const { token } = owner;
  const backup = await connectAccount(app, owner, { vendor: slow.module.id, sandbox: slowSandbox });
  await buyNumber(app, owner, backup);
  await app.ask("PUT", `/v1/carriers/${backup.carrierId}`, { token, body: { callsPerSecond: null, channels: 1 } });
  await app.ask("PUT", "/v1/carriers/order", { token, body: { ids: [carrierId, backup.carrierId] } });
  const reps = [owner, await join(), await join()];
  const calls: { rep: Rep; callSid: string }[] = [];
  for (const rep of reps) calls.push({ rep, callSid: await dial(app, rep, "+12025550100") });
  const [onFirst, onBackup, waiting] = calls;
  if (!onFirst || !onBackup || !waiting) throw new Error("Three calls are needed.");
  for (const { rep, callSid } of [onFirst, onBackup])
    await waitForStatus(app, rep, { callSid, status: "in-progress", timeoutMs: 30_000 });
  expect(await readCall(app, waiting.rep, waiting.callSid)).toMatchObject({
    status: "queued",
    waitsFor: "Calls or Calls",
  });
  const carrierOf = (callSid: string) =>
    app.database.withTransaction({ organisationId: owner.organisationId }, (tx) =>
      tx.selectFrom("calls").select("carrier_connection_id as id").where("call_sid", "=", callSid).execute(),
    );
  expect(await carrierOf(waiting.callSid)).toEqual([{ id: backup.carrierId }]);
  await hangUp(onFirst.rep, onFirst.callSid);
  expect(
    await waitForStatus(app, waiting.rep, { callSid: waiting.callSid, status: "in-progress", timeoutMs: 30_000 }),
  ).toMatchObject({ waitsFor: null });
  expect(await carrierOf(waiting.callSid)).toEqual([{ id: carrierId }]);
  for (const { rep, callSid } of [onBackup, waiting]) await hangUp(rep, callSid);
});
