import { randomUUID } from "node:crypto";
import type { Provisioner, ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import type { BillingSummary } from "@leadline/contract/billing";
import { type CostDifference, type listCostDifferences } from "@leadline/contract/carrier-costs";
import type { CarrierAccount } from "@leadline/contract/carrier-accounts";
import { withMarginMicros } from "@leadline/contract/cost-of-call";
import type { ResponseOf } from "@leadline/contract/endpoint";
import { afterEach, describe, expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../adapters.ts";
import { buyNumber, connectAccount } from "../../testing/connect-account.ts";
import { counted, haveCalled, type PastTrunkCall as PastCall } from "../../testing/have-called.ts";
import { ownVendorSandboxes } from "../../testing/own-vendor-sandboxes.ts";
import { adjustBalance } from "../../testing/set-balance.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../testing/test-calls.ts";
import { applyCosts } from "./apply-costs.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();

/** Hooks into reading records from the vendor. */
let onRecords: ((records: ReturnType<Provisioner["records"]>) => ReturnType<Provisioner["records"]>) | null = null;
afterEach(() => {
  onRecords = null;
});
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  async open(key, options) {
    const provisioner = await module.open(key, options);
    const records: Provisioner["records"] = (asked) =>
      onRecords ? onRecords(provisioner.records(asked)) : provisioner.records(asked);
    return { ...provisioner, records };
  },
}));
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, modules, publicAddress: async () => null }),
});

type Listed = ResponseOf<typeof listCostDifferences>;
const list = async (rep: Rep, asked: Record<string, string> = {}): Promise<Listed> => {
  const query = new URLSearchParams({ month, ...asked });
  return (await app.ask("GET", `/v1/billing/carrier-costs?${query}`, { token: rep.token })).json();
};
const read = (rep: Rep) => app.ask("POST", "/v1/billing/carrier-costs/read", { token: rep.token });
const summaryOf = async (rep: Rep): Promise<BillingSummary> =>
  (await app.ask("GET", "/v1/billing/summary", { token: rep.token })).json();

const newSid = () => `CA${randomUUID().replaceAll("-", "")}`;
/**
 * When past calls began: long enough ago to have records, and all in one month, which starts at the same time for
 * everyone here.
 */
const beganAt = new Date(Date.now() - 2 * 3_600_000);
const month = beganAt.toISOString().slice(0, 7);

describe.each(provisioners.map(({ module }) => [module.name, module] as const))("%s", (_name, module) => {
  const { id: vendor, readsRates } = module;
  const there = () => {
    const sandbox = sandboxes.get(vendor);
    if (!sandbox) throw new Error(`${vendor} has no sandbox.`);
    return { vendor, sandbox };
  };
  /** The sandbox's price per started minute. */
  const perMinute = readsRates ? 13_000 : 5_000;
  const billed = ({ seconds }: { seconds: number }) => Math.ceil(seconds / 60) * perMinute;
  const connected = async () => {
    const rep = await newRep(app);
    return { rep, account: await connectAccount(app, rep, there()) };
  };
  const addRecord = (account: CarrierAccount, { carrierCallId, phoneNumber, seconds, begunAt }: PastCall) => {
    const startedAt = new Date(begunAt.getTime() + 500);
    const call = { trunk: account.trunk, from: "+12025550199", to: phoneNumber, startedAt, seconds };
    return there().sandbox.addRecord({ ...call, ...(carrierCallId !== null && { id: carrierCallId }) });
  };
  const newCalls = (count: number, named: (n: number) => boolean): PastCall[] =>
    Array.from({ length: count }, (_, n) => ({
      callSid: newSid(),
      carrierCallId: named(n) ? randomUUID() : null,
      phoneNumber: `+1303555${String(n).padStart(4, "0")}`,
      seconds: 20 + (n % 200),
      begunAt: beganAt,
    }));

  test("matches 1,000 of 1,000 calls with the vendor's records, 5 % of them late and 1 % sent twice, and charges what it bills", async () => {
    const { rep, account } = await connected();
    // One call in ten can only be matched by number and time, and one record in ten.
    const calls = newCalls(1_000, (n) => n % 10 !== 3);
    const nameless = new Set(calls.filter((_, n) => n % 10 === 5).map(({ phoneNumber }) => phoneNumber));
    onRecords = async function* (records) {
      for await (const record of records) yield nameless.has(record.to) ? { ...record, callId: null } : record;
    };
    await haveCalled(app, rep, account, calls);
    expect(await summaryOf(rep)).toMatchObject({ monthCostMicros: 1_000 * counted });
    const late = calls.filter((_, n) => n % 20 === 7);
    for (const [n, call] of calls.entries()) {
      if (late.includes(call)) continue;
      const id = addRecord(account, call);
      if (n % 100 === 50) addRecord(account, { ...call, carrierCallId: id });
    }
    expect((await read(rep)).statusCode).toBe(204);
    expect((await list(rep)).totals).toMatchObject({ matchedCalls: 950, withoutRecord: 50, withoutCall: 0 });
    for (const call of late) addRecord(account, call);
    await read(rep);
    const carrierMicros = calls.reduce((sum, call) => sum + billed(call), 0);
    const { totals } = await list(rep);
    expect(totals).toMatchObject({
      matchedCalls: 1_000,
      countedMicros: 1_000 * counted,
      carrierMicros,
      withoutRecord: 0,
      withoutCall: 0,
    });
    expect(await summaryOf(rep)).toMatchObject({ monthCostMicros: carrierMicros });
    const carrier = { organisationId: rep.organisationId, carrierId: account.carrierId };
    await Promise.all([read(rep), read(rep), applyCosts(app.database, carrier), applyCosts(app.database, carrier)]);
    expect((await list(rep)).totals).toEqual(totals);
    expect(await summaryOf(rep)).toMatchObject({ monthCostMicros: carrierMicros });
  });

  const legsOf = (rep: Rep, callSid: string) =>
    app.database.withTransaction(rep, (tx) =>
      tx.selectFrom("carrier_legs").selectAll().where("call_sid", "=", callSid).execute(),
    );

  test("a call through the trunk is matched by the id in the vendor's SIP headers, and keeps its margin", async () => {
    const { rep, account } = await connected();
    await buyNumber(app, rep, account);
    const setMargin = (marginPercent: number) =>
      app.ask("PUT", `/v1/carriers/${account.carrierId}/margin`, { token: rep.token, body: { marginPercent } });
    expect((await setMargin(10)).statusCode).toBe(200);
    const callSid = await dial(app, rep, "+12025550100");
    await waitForStatus(app, rep, { callSid, status: "in-progress" });
    await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
    expect((await setMargin(50)).statusCode).toBe(200);
    const legs = await vi.waitFor(async () => {
      const found = await legsOf(rep, callSid);
      expect(found).toMatchObject([{ connection_id: account.carrierId }]);
      return found;
    });
    const cost = async () => (await app.ask("GET", `/v1/calls/${callSid}/carrier-cost`, { token: rep.token })).json();
    // A vendor may price a call a while after its end.
    await vi.waitFor(
      async () => {
        await read(rep);
        expect(await cost()).toMatchObject({ carrierCost: { micros: perMinute, currency: "USD" } });
      },
      { timeout: 60_000, interval: 200 },
    );
    const charged = withMarginMicros(perMinute, 10);
    expect(await cost()).toMatchObject({ chargedMicros: charged });
    const records = await app.database.withTransaction(rep, (tx) =>
      tx.selectFrom("carrier_records").selectAll().where("call_sid", "=", callSid).execute(),
    );
    expect(records).toMatchObject([{ carrier_call_id: legs[0]?.carrier_call_id, matched_by: "call-id" }]);
    const { entries } = (await app.ask("GET", "/v1/billing/entries?kind=correction", { token: rep.token })).json();
    // Without the vendor's rates, the call was recorded as free.
    expect(entries).toMatchObject(readsRates ? [] : [{ amountMicros: -charged, account: "carrier", callSid }]);
  });

  test("stores an inbound call with the identifier from the vendor's SIP headers", async () => {
    const { rep, account } = await connected();
    const get = async (path: `/${string}`) => (await app.ask("GET", path, { token: rep.token })).json();
    const [{ number }] = await get(`/v1/phone-numbers/available?countryCode=US&accountId=${account.id}`);
    const body = { accountId: account.id, countryCode: "US", number };
    const headers = { "idempotency-key": randomUUID() };
    expect((await app.ask("POST", "/v1/number-orders", { token: rep.token, body, headers })).statusCode).toBe(201);
    await vi.waitFor(async () => expect((await get("/v1/carriers"))[0].state.level).toBe("working"));
    await there().sandbox.call({ from: "+13125550142", to: number });
    const callSid = await vi.waitFor(async () => {
      const [call] = await get("/v1/calls?direction=inbound");
      expect(call).toMatchObject({ phoneNumber: "+13125550142" });
      return call.callSid;
    });
    expect(await legsOf(rep, callSid)).toMatchObject([{ connection_id: account.carrierId }]);
  });

  test("a prepaid call keeps its price, and the difference is listed", async () => {
    const { rep, account } = await connected();
    const [call] = newCalls(1, () => true);
    if (!call) throw new Error("no call");
    await app.database.withTransaction(rep, (tx) =>
      tx
        .insertInto("ledger_holds")
        .values({ organisation_id: rep.organisationId, key: `call:${call.callSid}`, amount: 0, resolved_at: null })
        .execute(),
    );
    await adjustBalance(app.database, { ...rep, balanceMicros: 50_000 });
    await haveCalled(app, rep, account, [call]);
    addRecord(account, call);
    await read(rep);
    expect(await summaryOf(rep)).toMatchObject({ balanceMicros: 40_000, monthCostMicros: counted });
    expect((await list(rep, { kind: "differs" })).differences).toMatchObject([
      {
        kind: "differs",
        callSid: call.callSid,
        countedMicros: counted,
        carrierCost: { micros: perMinute, currency: "USD" },
        differenceMicros: perMinute - counted,
      },
    ]);
  });

  test("a record of a transfer's target is a cost of the call that was transferred", async () => {
    const { rep, account } = await connected();
    const [call] = newCalls(1, () => true);
    if (!call) throw new Error("no call");
    const { organisationId } = rep;
    await haveCalled(app, rep, account, [call]);
    const target = "+13035559876";
    await app.database.withTransaction(rep, (tx) =>
      tx
        .insertInto("call_transfers")
        .values({
          organisation_id: organisationId,
          call_sid: call.callSid,
          phone_number: target,
          phone_number_typed: target,
          status: "taken",
          asked_at: new Date(call.begunAt.getTime() + 30_000).toISOString(),
          refusal: null,
          sip: null,
        })
        .execute(),
    );
    addRecord(account, call);
    const ofTarget = { ...call, carrierCallId: null, phoneNumber: target, seconds: 150 };
    addRecord(account, ofTarget);
    await read(rep);
    const carrierMicros = billed(call) + billed(ofTarget);
    expect((await list(rep)).totals).toMatchObject({ matchedCalls: 1, carrierMicros, withoutCall: 0 });
    expect(await summaryOf(rep)).toMatchObject({ monthCostMicros: carrierMicros });
    // Someone else's call to the same number isn't a second one.
    addRecord(account, ofTarget);
    await read(rep);
    expect((await list(rep)).totals).toMatchObject({ matchedCalls: 1, carrierMicros, withoutCall: 1 });
  });

  test("lists calls without a record and records without a call, page by page, by kind, and as CSV", async () => {
    const { rep, account } = await connected();
    expect((await list(rep)).sources).toMatchObject([{ accountId: account.id, readAt: null, failure: null }]);
    const calls = newCalls(51, () => true);
    await haveCalled(app, rep, account, calls);
    const [stray] = newCalls(1, () => true);
    if (!stray) throw new Error("no call");
    addRecord(account, { ...stray, phoneNumber: "+13035559999" });
    await read(rep);
    const first = await list(rep);
    expect(first.totals).toMatchObject({ matchedCalls: 0, withoutRecord: 51, withoutCall: 1 });
    expect(first.sources).toMatchObject([{ accountId: account.id, label: "Calls", failure: null }]);
    expect(first.differences).toHaveLength(50);
    const second = await list(rep, { before: first.next ?? "" });
    expect([second.differences.length, second.next]).toEqual([2, null]);
    const everyKey = [...first.differences, ...second.differences].map(({ key }) => key);
    expect(new Set(everyKey).size).toBe(52);
    const { differences }: { differences: CostDifference[] } = await list(rep, { kind: "no-call" });
    expect(differences).toMatchObject([
      { kind: "no-call", phoneNumber: "+13035559999", carrier: "Calls", callSid: null, countedMicros: null },
    ]);
    expect((await list(rep, { month: "2001-01" })).differences).toEqual([]);
    const file = await app.ask("GET", `/v1/billing/carrier-costs/export?month=${month}`, { token: rep.token });
    expect(file.body.trim().split("\n")).toHaveLength(53);
    expect(file.body).toContain('"No call","+13035559999"');
  });

  test("the next reading makes up for one that dies halfway, or whose vendor doesn't respond", async () => {
    const { rep, account } = await connected();
    const calls = newCalls(3, () => true);
    await haveCalled(app, rep, account, calls);
    for (const call of calls) addRecord(account, call);
    onRecords = async function* (records) {
      for await (const record of records) {
        yield record;
        throw new Error("killed");
      }
    };
    expect((await read(rep)).statusCode).toBe(500);
    onRecords = null;
    const { address } = there().sandbox;
    there().sandbox.address = new URL("http://127.0.0.1:9");
    const refused = await read(rep);
    there().sandbox.address = address;
    expect(refused.json().type).toBe("/api/docs#carrier-unreachable");
    expect((await list(rep)).sources).toMatchObject([{ failure: refused.json().detail }]);
    await read(rep);
    expect(await list(rep)).toMatchObject({ totals: { matchedCalls: 3 }, sources: [{ failure: null }] });
    expect(await summaryOf(rep)).toMatchObject({ monthCostMicros: calls.reduce((sum, call) => sum + billed(call), 0) });
  });
});
