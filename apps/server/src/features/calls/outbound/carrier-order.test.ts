import type { VendorSandbox } from "@leadline/carrier-sandbox/vendor/vendor-sandbox";
import { serveHere } from "@leadline/adapter-kit/outbound/private-networks";
import type { CarrierConnection } from "@leadline/contract/carriers";
import { costOfCall } from "@leadline/contract/cost-of-call";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { atVendor, buyNumber, connectAccount } from "../../../testing/connect-account.ts";
import { ownMigratedDatabase } from "../../../testing/own-database.ts";
import { flatRate } from "../../../testing/flat-rate.ts";
import { adjustBalance } from "../../../testing/set-balance.ts";
import { joinOrganisation, registerPerson } from "../../../testing/test-app.ts";
import { dial, newRep, readCall, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

// Apps on a shared database resume each other's unfinished work. Another suite's app would process these accounts with
// its own key.
const database = await ownMigratedDatabase();
// Registered before the app's own hook, so it runs after the app has closed.
afterAll(() => database.drop());
const vendors = provisioners.map(({ module }) => module.id);
const sandboxes = new Map<string, VendorSandbox>();
beforeAll(async () => {
  for (const { module, startSandbox } of provisioners) {
    // The last carrier has no lines, so it refuses every call.
    const channels = module.id === vendors.at(-1) ? 0 : null;
    const sandbox = await startSandbox({ file: null, limits: { callsPerSecond: 50, channels } });
    serveHere(sandbox.sip);
    serveHere(sandbox.sipOverTls.address);
    sandboxes.set(module.id, sandbox);
  }
});
afterAll(async () => {
  for (const sandbox of sandboxes.values()) await sandbox.close();
});
const app = testAppWithCalls(carrierModules, {
  databaseUrl: database.url,
  accounts: () => ({ sandboxes, publicAddress: async () => null }),
});

const there = (vendor: string | undefined) => {
  const sandbox = sandboxes.get(vendor ?? "");
  if (vendor === undefined || !sandbox) throw new Error(`${vendor} has no sandbox.`);
  return { vendor, sandbox };
};
const carriersOf = async (rep: Rep): Promise<CarrierConnection[]> =>
  (await app.ask("GET", "/v1/carriers", { token: rep.token })).json();

/** Both vendors are connected; the first one refuses every call. */
async function connected() {
  const rep = await newRep(app);
  const working = await connectAccount(app, rep, there(vendors[0]));
  const refusing = await connectAccount(app, rep, there(vendors.at(-1)));
  const unlimited = { callsPerSecond: null, channels: null };
  for (const { carrierId } of [working, refusing])
    await app.ask("PUT", `/v1/carriers/${carrierId}`, { token: rep.token, body: unlimited });
  const [number] = [await buyNumber(app, rep, working), await buyNumber(app, rep, refusing)];
  return { rep, working, refusing, number };
}

test("the account that was connected last is the first carrier, and the one before it stays as its backup", async () => {
  const { rep, working, refusing } = await connected();
  const order = async () => (await carriersOf(rep)).filter(({ inUse }) => inUse).map(({ id }) => id);
  expect(await order()).toEqual([refusing.carrierId, working.carrierId]);
  const put = (ids: string[]) => app.ask("PUT", "/v1/carriers/order", { token: rep.token, body: { ids } });
  expect((await put([working.carrierId, refusing.carrierId])).statusCode).toBe(200);
  expect(await order()).toEqual([working.carrierId, refusing.carrierId]);
  expect((await put([working.carrierId])).json()).toMatchObject([{ inUse: true }, { inUse: false }]);
  const stranger = await newRep(app);
  const taken = await app.ask("PUT", "/v1/carriers/order", {
    token: stranger.token,
    body: { ids: [working.carrierId] },
  });
  expect(taken.statusCode).toBe(404);
});

test("a call that the first carrier can't place goes through the next one, with that one's caller ID, and says why", async () => {
  const { rep, working, refusing, number } = await connected();
  const { token } = rep;
  const before = there(vendors.at(-1)).sandbox.rejections();
  const callSid = await dial(app, rep, "+12025550100");
  const placed = await waitForStatus(app, rep, { callSid, status: "in-progress" });
  expect(placed.refusal).toMatch(/^Calls: .*limit of simultaneous calls is reached/);
  expect(there(vendors.at(-1)).sandbox.rejections()).toBe(before + 1);
  await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token });
  const since = new Date(Date.now() - 60_000).toISOString();
  await vi.waitFor(() =>
    atVendor(there(vendors[0]), async (provisioner) => {
      const numbers: string[] = [];
      for await (const { from } of provisioner.records({ trunk: working.trunk, since })) numbers.push(from);
      expect(numbers).toEqual([number]);
    }),
  );

  // A test call reports the tested carrier's own fault.
  const body = { phoneNumber: "+12025550100", carrierId: refusing.carrierId };
  const tested = (await app.ask("POST", "/v1/calls", { token, body })).json().callSid;
  await waitForStatus(app, rep, { callSid: tested, status: "failed" });
});

test("a prepaid call is dialled through the next carrier only if that one's first minute can be held", async () => {
  const { rep, working, refusing } = await connected();
  const { token, organisationId } = rep;
  // The other carrier's prices come from its vendor, and are higher.
  const rate = { prefix: "1", effectiveFrom: "2000-01-01", ...flatRate(1_000) };
  await app.ask("PUT", `/v1/carriers/${refusing.carrierId}/rates`, { token, body: rate });
  await app.ask("PUT", "/v1/billing/mode", { token, body: { mode: "prepaid" } });
  await adjustBalance(app.database, { organisationId, balanceMicros: 1_000 });
  const unpaid = await dial(app, rep, "+12025550100");
  const failed = await waitForStatus(app, rep, { callSid: unpaid, status: "failed" });
  expect(failed).toMatchObject({ rate: { perMinuteMicros: 1_000 }, costMicros: 0 });
  expect(failed.refusal).toMatch(/^Calls: Your organisation’s balance doesn’t cover the first minute/);

  await adjustBalance(app.database, { organisationId, balanceMicros: 1_000_000 });
  await app.ask("PUT", `/v1/carriers/${working.carrierId}/margin`, { token, body: { marginPercent: 7 } });
  const paid = await dial(app, rep, "+12025550100");
  const { rate: price } = await waitForStatus(app, rep, { callSid: paid, status: "in-progress" });
  const stored = await app.database.withTransaction(rep, (tx) =>
    tx.selectFrom("calls").select("margin_percent").where("call_sid", "=", paid).execute(),
  );
  expect(stored).toEqual([{ margin_percent: 7 }]);
  expect(price?.perMinuteMicros).toBeGreaterThan(1_000);
  const summary = (await app.ask("GET", "/v1/billing/summary", { token })).json();
  expect(summary.heldMicros).toBe(costOfCall(price, 60_000));
  expect((await carriersOf(rep)).map(({ id }) => id)).toContain(working.carrierId);
  await app.ask("POST", `/v1/calls/${paid}/hang-up`, { token });
});

test("a call whose first carrier has no free line goes to the next at once", async () => {
  const { rep, working, refusing } = await connected();
  const { token, organisationId } = rep;
  await app.ask("PUT", `/v1/carriers/${working.carrierId}`, { token, body: { channels: 1 } });
  await app.ask("PUT", "/v1/carriers/order", { token, body: { ids: [working.carrierId, refusing.carrierId] } });
  const talking = await dial(app, rep, "+12025550100");
  await waitForStatus(app, rep, { callSid: talking, status: "in-progress" });
  const person = await registerPerson(app);
  await joinOrganisation(app, person, { organisationId, role: "member" });
  const second = { ...person, organisationId };
  const before = there(vendors.at(-1)).sandbox.rejections();
  const callSid = await dial(app, second, "+12025550100");
  // The next one has no free line either, and is reported.
  const failed = await waitForStatus(app, second, { callSid, status: "failed" });
  expect(failed.refusal).toMatch(/limit of simultaneous calls is reached/);
  expect(there(vendors.at(-1)).sandbox.rejections()).toBe(before + 1);
  await app.ask("POST", `/v1/calls/${talking}/hang-up`, { token });
});

test("a callee who is busy is not called again through the next carrier", async () => {
  const { rep, working, refusing } = await connected();
  const ids = [working.carrierId, refusing.carrierId];
  await app.ask("PUT", "/v1/carriers/order", { token: rep.token, body: { ids } });
  const before = there(vendors.at(-1)).sandbox.rejections();
  const callSid = await dial(app, rep, "+12025550103");
  await waitForStatus(app, rep, { callSid, status: "busy" });
  expect(await readCall(app, rep, callSid)).toMatchObject({ refusal: null });
  expect(there(vendors.at(-1)).sandbox.rejections()).toBe(before);
});

test("a call that no carrier can place fails with the last carrier's reason", async () => {
  const { rep, refusing } = await connected();
  await app.ask("PUT", "/v1/carriers/order", { token: rep.token, body: { ids: [refusing.carrierId] } });
  const callSid = await dial(app, rep, "+12025550100");
  const failed = await waitForStatus(app, rep, { callSid, status: "failed" });
  expect(failed).toMatchObject({ cause: { sip: 403 }, refusal: expect.stringMatching(/simultaneous calls/) });
});

test("a call goes past a carrier without a number, undialled there, and a test call of that one is refused", async () => {
  const rep = await newRep(app);
  const { token } = rep;
  const working = await connectAccount(app, rep, there(vendors[0]));
  const number = await buyNumber(app, rep, working);
  const numberless = await connectAccount(app, rep, there(vendors.at(-1)));
  const before = there(vendors.at(-1)).sandbox.rejections();
  const callSid = await dial(app, rep, "+12025550100");
  const placed = await waitForStatus(app, rep, { callSid, status: "in-progress" });
  expect(placed).toMatchObject({ shownNumber: number, refusal: expect.stringMatching(/^Calls has no number yet/) });
  await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token });
  const body = { phoneNumber: "+12025550100", carrierId: numberless.carrierId };
  const tested = await app.ask("POST", "/v1/calls", { token, body });
  expect(tested.json()).toMatchObject({ type: "/api/docs#caller-id-missing" });

  // Neither has one.
  const [own] = (await app.ask("GET", "/v1/phone-numbers", { token })).json();
  expect((await app.ask("DELETE", `/v1/phone-numbers/${own.id}`, { token })).statusCode).toBe(204);
  const undialled = await dial(app, rep, "+12025550100");
  expect(await waitForStatus(app, rep, { callSid: undialled, status: "failed" })).toMatchObject({
    cause: { reason: "network-failure", sip: null },
    refusal: expect.stringMatching(/^Calls has no number yet/),
  });
  expect(there(vendors.at(-1)).sandbox.rejections()).toBe(before);
});
