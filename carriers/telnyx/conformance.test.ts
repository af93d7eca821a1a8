import { nothing, wantTrunk } from "@leadline/adapter-kit/conformance/provisioner-numbers";
import { describeProvisionerConformance } from "@leadline/adapter-kit/provisioner-conformance";
import { startVendorSandbox } from "@leadline/carrier-sandbox/telnyx/server";
import { serveVendor } from "@leadline/carrier-sandbox/vendor/serve-vendor";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { openApi } from "./api.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { provisioner } from "./server.ts";
import { settings } from "./settings.ts";
import { ensureTrunk } from "./trunk.ts";

describeProvisionerConformance({
  module: provisioner,
  start: async () => {
    const vendor = await startVendorSandbox({ file: null });
    return { ...vendor, sandbox: vendor };
  },
  wrongKey: { apiKey: `KEY${"0".repeat(40)}` },
  countries: { free: "US", regulated: "FR" },
});

test("call records that don't name their connection are refused, instead of being no one's", async () => {
  const sandbox = await startVendorSandbox({ file: null });
  onTestFinished(() => sandbox.close());
  const opened = await provisioner.open(settings.parse(sandbox.key), { sandbox });
  onTestFinished(() => opened.close());
  const read = () => Array.fromAsync(opened.records({ trunk: "leadline-0b0c3b8e5a6d", since: "2026-01-05T09:00:00Z" }));
  expect(await read()).toEqual([]);
  const call = { from: "+12125550100", to: "+12125550101", startedAt: new Date(), seconds: 61 };
  sandbox.addRecord({ ...call, trunk: "a connection that the vendor doesn't name" });
  await expect(read()).rejects.toThrow("Telnyx’s call records don’t name their connection");
});

test("a record without a caller, or one that can't be read, doesn't keep the trunk's other records from being read", async () => {
  const trunk = "leadline-0b0c3b8e5a6d";
  const good = {
    connection_name: trunk,
    id: "good",
    call_leg_id: "leg",
    cli: "+12125550100",
    cld: "+12125550101",
    started_at: "2026-01-05T09:00:00Z",
    call_sec: 61,
    cost: "0.0140",
    currency: "USD",
  };
  const data = [
    { ...good, id: "another connection's", connection_name: "PBX", cli: null, cld: null, call_sec: null, cost: 1 },
    { ...good, id: "no time", started_at: "garbage" },
    { ...good, id: "no duration", call_sec: null },
    { ...good, id: "no price", cost: "unknown" },
    { ...good, id: "anonymous", cli: null },
    good,
  ];
  const api = await serveVendor(() => ({ status: 200, body: { data, meta: { total_pages: 1 } } }));
  onTestFinished(() => api.close());
  const sandbox = { address: api.address, sip: "", sipOverTls: { address: "", authority: "" } };
  const account = await provisioner.open(settings.parse({ apiKey: `KEY${"1".repeat(40)}` }), { sandbox });
  onTestFinished(() => account.close());
  const shared = { callId: "leg", to: good.cld, startedAt: "2026-01-05T09:00:00.000Z", seconds: 61, currency: "USD" };
  expect(await Array.fromAsync(account.records({ trunk, since: "2026-01-05T00:00:00Z" }))).toEqual([
    { ...shared, id: "anonymous", from: "", micros: 14_000 },
    { ...shared, id: "good", from: good.cli, micros: 14_000 },
  ]);
});

test("a page of call records is asked for only once the one before it was used", async () => {
  const trunk = "leadline-0b0c3b8e5a6d";
  const pages: string[] = [];
  const record = { connection_name: trunk, cli: "1", cld: "2", started_at: "2026-01-05T09:00:00Z", call_sec: 1 };
  const api = await serveVendor(({ query }) => {
    const id = query.get("page[number]") ?? "";
    pages.push(id);
    const data = [
      { ...record, id },
      { ...record, id: "PBX", connection_name: "PBX" },
    ];
    return { status: 200, body: { data, meta: { total_pages: 3 } } };
  });
  onTestFinished(() => api.close());
  const sandbox = { address: api.address, sip: "", sipOverTls: { address: "", authority: "" } };
  const account = await provisioner.open(settings.parse({ apiKey: `KEY${"1".repeat(40)}` }), { sandbox });
  onTestFinished(() => account.close());
  const read: string[] = [];
  for await (const { id } of account.records({ trunk, since: "2026-01-05T00:00:00Z" })) {
    read.push(id);
    expect(pages).toEqual(read);
  }
  expect(read).toEqual(["1", "2", "3"]);
});

test("a connection uses a voice profile with the organisation's limits, and connecting again updates them", async () => {
  const sandbox = await startVendorSandbox({ file: null });
  onTestFinished(() => sandbox.close());
  const api = openApi(settings.parse(sandbox.key), sandbox);
  onTestFinished(() => api.close());
  const wanted = wantTrunk();
  const Profile = z.looseObject({ id: z.string() });
  const Connection = z.object({ outbound: z.object({ outbound_voice_profile_id: z.string() }) });
  for (const [countries, dollars, simultaneousCalls] of [
    [["US"], 12.5, 3],
    [["US", "FR"], 100, 20],
  ] as const) {
    const callLimits = { countries, dailySpendMicros: dollars * 1_000_000, simultaneousCalls };
    await ensureTrunk(api, { ...wanted, callLimits }, { sandbox, onStep: nothing });
    const profiles = await api.list("outbound_voice_profiles", Profile);
    expect(profiles).toMatchObject([
      {
        whitelisted_destinations: countries,
        daily_spend_limit: dollars.toFixed(2),
        daily_spend_limit_enabled: true,
        concurrent_call_limit: simultaneousCalls,
      },
    ]);
    const connections = await api.list("credential_connections", Connection);
    expect(connections).toEqual([{ outbound: { outbound_voice_profile_id: profiles[0]?.id } }]);
  }
});

test("names the requirements of a number's own type, also of a mobile one", async () => {
  const sandbox = await startVendorSandbox({ file: null });
  const account = await provisioner.open(settings.parse(sandbox.key), { sandbox });
  onTestFinished(async () => {
    account.close();
    await sandbox.close();
  });
  const [forAll, ofTollFree] = await account.requirements("FR", "toll-free");
  expect(ofTollFree).toMatchObject({ what: "Purpose of the calls", met: false });
  expect(await account.requirements("FR", "mobile")).toEqual([forAll]);
  expect(await account.requirements("FR", "local")).toEqual([forAll]);
});

test.each([
  ["User channel limit exceeded D1", /simultaneous calls/],
  ["Dialed number is not included in whitelisted countries D13", /country are off/],
  ["Outbound Profile is disabled D15", /Connect again/],
  ["Connection is disabled D16", /Connect again/],
  ["Account is disabled D17", /has disabled this account/],
  ["Maximum destination rate limit exceeded D24", /costs more per minute/],
  ["Caller Origination Number is Invalid D35", /needs a caller ID/],
  ["Forbidden D36", /doesn’t accept this caller ID/],
  ["International daily spent limit reached D39", /daily limit for international calls/],
  ["Originating number listed in do-not-originate registry D46", /Choose another number/],
  ["Unverified Caller Origination Number D51", /doesn’t accept this caller ID/],
  ["Can not make calls to non-verified numbers at this account level D60", /verified numbers only/],
  ["International destination rate limit reached D9", /Try again in a minute/],
])("explains 403 %s, which is the carrier's, in a sentence, and doesn't call again", (reason, sentence) => {
  const explained = explainRefusal(403, reason);
  expect(explained).toEqual({ sentence: expect.stringMatching(sentence), ofCarrier: true });
  expect(explained?.sentence).toMatch(/\.$/);
});

test.each([
  [401, "10009", "key-refused", /doesn’t accept this key/],
  [403, "10010", "not-permitted", /may not do that/],
  [402, null, "no-balance", /no balance left/],
  [403, "10038", "unverified", /at this account’s level/],
  [422, "85001", "number-gone", /isn’t for sale any more/],
  [429, null, "too-many-requests", /Try again in a minute/],
  [500, null, "unreachable", /failure of its own/],
  [500, "10007", "unreachable", /failure of its own/],
  [503, "10010", "unreachable", /failure of its own/],
  [408, null, "unreachable", /failure of its own/],
  [422, "10008", "unreachable", /failure of its own/],
] as const)("tells the error %i %s of its API as %s, in a sentence", async (status, code, fault, sentence) => {
  const body = code === null ? {} : { errors: [{ code, title: "Its own words" }] };
  const api = await serveVendor(() => ({ status, body }));
  const sandbox = { address: api.address, sip: "", sipOverTls: { address: "", authority: "" } };
  const account = await provisioner.open(settings.parse({ apiKey: `KEY${"1".repeat(40)}` }), { sandbox });
  onTestFinished(async () => {
    account.close();
    await api.close();
  });
  const message = expect.stringMatching(new RegExp(`${sentence.source}.*\\.$`));
  await expect(account.account()).rejects.toMatchObject({ name: "ProvisionerError", fault, message });
  await expect(account.numbers()).rejects.toMatchObject({ fault, message });
});

test("says of a refusal for too many calls at once that the call may be placed a moment later", () => {
  expect(explainRefusal(503, "CPS Limit Reached P05")).toMatchObject({ ofCarrier: true, tooFast: true });
});

test("an order that fails later is refused, and not placed again", async () => {
  const placed: string[] = [];
  const order = { id: "1", status: "failure", customer_reference: "ours" };
  const api = await serveVendor(({ method, path }) => {
    if (method === "POST") placed.push(path);
    return { status: 200, body: { data: [order], meta: { total_pages: 1, page_number: 1 } } };
  });
  onTestFinished(() => api.close());
  const sandbox = { address: api.address, sip: "", sipOverTls: { address: "", authority: "" } };
  const account = await provisioner.open(settings.parse({ apiKey: `KEY${"1".repeat(40)}` }), { sandbox });
  onTestFinished(() => account.close());
  const intent = { number: "+12025550123", countryCode: "US", type: "local", trunk: "t", reference: "ours" } as const;
  await expect(account.buy(intent)).rejects.toMatchObject({ fault: "number-gone" });
  expect(placed).toEqual([]);
});

test("offers only numbers with a price in US dollars, with what is paid once", async () => {
  const priced = (monthly_cost: string | null, currency: string) => ({
    phone_number: `+1202555${currency === "USD" ? "01" : "02"}${monthly_cost === null ? "00" : "01"}`,
    cost_information: { monthly_cost, upfront_cost: "1.50", currency },
  });
  const data = [priced("1.00", "USD"), priced("1.00", "EUR"), priced(null, "USD")];
  const api = await serveVendor(() => ({ status: 200, body: { data } }));
  onTestFinished(() => api.close());
  const sandbox = { address: api.address, sip: "", sipOverTls: { address: "", authority: "" } };
  const account = await provisioner.open(settings.parse({ apiKey: `KEY${"1".repeat(40)}` }), { sandbox });
  onTestFinished(() => account.close());
  expect(await account.searchNumbers({ countryCode: "US", query: null, limit: 5 })).toMatchObject([
    { number: "+12025550101", monthlyCostMicros: 1_000_000, upfrontCostMicros: 1_500_000 },
  ]);
});

test.each([
  ["mobile", "mobile"],
  ["national", "national"],
  ["shared_cost", "shared-cost"],
])("takes the type of a number from the list that has it, whatever its digits suggest: %s", async (listed, type) => {
  const api = await serveVendor(({ query }) => ({
    status: 200,
    body: { data: query.get("filter[phone_number_type]") === listed ? [{ phone_number: "+12025550123" }] : [] },
  }));
  onTestFinished(() => api.close());
  const sandbox = { address: api.address, sip: "", sipOverTls: { address: "", authority: "" } };
  const account = await provisioner.open(settings.parse({ apiKey: `KEY${"1".repeat(40)}` }), { sandbox });
  onTestFinished(() => account.close());
  expect(await account.typeOf("+12025550123", "US")).toBe(type);
  expect(await account.typeOf("+12025550124", "US")).toBeNull();
});

test("leaves the callee's responses alone", () => {
  for (const status of [486, 603, 404])
    for (const reason of ["Busy Here", "User Busy D5", "Can not make calls to non-verified numbers D60"])
      expect(explainRefusal(status, reason)).toBeNull();
  expect(explainRefusal(403, "Forbidden")).toBeNull();
});

test("an order that waits for its requirements is cancelled, and one that is delivered meanwhile isn't", async () => {
  const sandbox = await startVendorSandbox({ file: null });
  onTestFinished(() => sandbox.close());
  const opened = await provisioner.open(settings.parse(sandbox.key), { sandbox });
  onTestFinished(() => opened.close());
  const wanted = wantTrunk();
  await opened.ensureTrunk(wanted, nothing);
  const order = async (countryCode: string, reference: string) => {
    const [offered] = await opened.searchNumbers({ countryCode, query: null, limit: 1 });
    const intent = {
      countryCode,
      number: offered?.number ?? "",
      type: "local",
      trunk: wanted.name,
      reference,
    } as const;
    expect((await opened.buy(intent)).state).toBe("pending");
    return intent;
  };
  const waiting = await order("FR", "waits");
  expect((await opened.buy(waiting)).state).toBe("pending");
  for (let again = 0; again < 2; again++) expect(await opened.cancel(waiting)).toBe("canceled");
  await expect(opened.buy(waiting)).rejects.toMatchObject({ fault: "number-gone" });
  expect(await opened.cancel(await order("US", "is delivered"))).toBe("bought");
  expect((await opened.numbers()).map(({ number }) => number)).toHaveLength(1);
});
