import { existsSync } from "node:fs";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { nothing, wantTrunk } from "@leadline/adapter-kit/conformance/provisioner-numbers";
import type { Provisioner } from "@leadline/adapter-kit/provisioner";
import { describeProvisionerConformance } from "@leadline/adapter-kit/provisioner-conformance";
import { serveVendor } from "@leadline/carrier-sandbox/vendor/serve-vendor";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Api, openApi } from "./client.ts";
import { judgeByContracts } from "./testing/judge-by-contracts.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { readPrices } from "./number-prices.ts";
import { answered } from "./refusals.ts";
import { provisioner } from "./server.ts";
import { settings } from "./settings.ts";
import { findTrunk } from "./trunk.ts";
import { verifiesCaller } from "./verifies-caller.ts";

const contracts = join(process.env["CONTRACTS_DIR"] ?? "../shared/contracts", "twilio");
const judged = existsSync(contracts) ? await judgeByContracts(contracts) : null;

async function start() {
  const { startVendorSandbox } = await import("@leadline/carrier-sandbox/twilio/server");
  const vendor = await startVendorSandbox({ file: null });
  if (judged === null) return { ...vendor, sandbox: vendor };
  // The vendor's own contract checks each request and response.
  const judge = await judged.standBefore(vendor.address);
  return {
    ...vendor,
    sandbox: { ...vendor, address: judge.address },
    close: async () => {
      await judge.close();
      await vendor.close();
    },
  };
}

describeProvisionerConformance({
  module: provisioner,
  start,
  wrongKey: { accountSid: `AC${"0".repeat(32)}`, authToken: "0".repeat(32) },
  countries: { free: "US", regulated: "FR" },
});

describe("an account", () => {
  let vendor: Awaited<ReturnType<typeof start>>;
  let account: Provisioner;
  let api: Api;
  beforeAll(async () => {
    vendor = await start();
    const key = settings.parse(vendor.key);
    account = await provisioner.open(key, { sandbox: vendor.sandbox });
    api = openApi(key, vendor.sandbox);
  });
  afterAll(async () => {
    account.close();
    api.close();
    await vendor.close();
  });

  test("gets a trunk whose calls can be transferred, also if that was turned off", async () => {
    const wanted = wantTrunk();
    await account.ensureTrunk(wanted, nothing);
    const made = await findTrunk(api, wanted.name);
    expect(made).toMatchObject({ transferMode: "enable-all", secure: false });
    for (const change of [{ transferMode: "disable-all" }, { secure: true }] as const) {
      await api.client.trunking.v1.trunks(made?.sid ?? "").update(change);
      await account.ensureTrunk(wanted, nothing);
      expect(await findTrunk(api, wanted.name)).toMatchObject({ transferMode: "enable-all", secure: false });
    }
  });

  test("names the allowed countries that its dialing permissions exclude", async () => {
    const sentenceFor = async (countries: readonly string[]): Promise<string> => {
      const wanted = wantTrunk();
      const sentences: string[] = [];
      const callLimits = { ...wanted.callLimits, countries };
      await account.ensureTrunk({ ...wanted, callLimits }, async (_, sentence) => void sentences.push(sentence));
      return sentences[0] ?? "";
    };
    expect(await sentenceFor(["US", "MT", "LV"])).toMatch(/ can’t call Latvia and Malta\. Allow them in the Twilio/);
    expect(await sentenceFor(["US"])).toMatch(/ is ready\.$/);
  });

  test("sees which address a number requires, and buys it with that one", async () => {
    const countryCode = "DE";
    const [offered] = await account.searchNumbers({ countryCode, query: null, limit: 1 });
    const number = offered?.number ?? "";
    const wanted = wantTrunk();
    await account.ensureTrunk(wanted, nothing);
    const buy = () => account.buy({ number, countryCode, type: "local", trunk: wanted.name, reference: randomUUID() });
    const asked = () => account.requirements(countryCode, "local", number);
    // An address in another country doesn't count.
    vendor.meetRequirements("GB");
    expect(await asked()).toMatchObject([{ met: false, sentence: expect.stringMatching(/in its country\. Add one/) }]);
    await expect(buy()).rejects.toMatchObject({ fault: "requirement-missing" });
    vendor.meetRequirements(countryCode);
    expect(await asked()).toMatchObject([{ met: true }]);
    expect(await buy()).toMatchObject({ state: "bought" });
  });

  test("counts a bundle for the number's own type only", async () => {
    vendor.meetRequirements("FR");
    expect(await account.requirements("FR", "local")).toMatchObject([{ met: true }]);
    expect(await account.requirements("FR", "toll-free")).toMatchObject([{ met: false }]);
  });

  test("pays the highest of the rates that depend on the caller's number", async () => {
    const { rates } = await account.rates({ digits: "33123456789", country: "FR" });
    expect(rates).toMatchObject([{ prefix: "33", micros: 21_000 }]);
  });

  test("reads all rates of a country, or those of a number whose country isn't listed", async () => {
    const { of, rates } = await account.rates({ digits: "12025550100", country: "US" });
    expect([of, new Map(rates.map(({ prefix, micros }) => [prefix, micros]))]).toEqual([
      "country",
      new Map([
        ["1907", 90_000],
        ["1", 13_000],
      ]),
    ]);
    for (const country of [null, "XK"])
      expect(await account.rates({ digits: "38344123456", country })).toMatchObject({
        of: "number",
        rates: [{ prefix: "383", micros: 21_000 }],
      });
  });
});

describe.skipIf(judged === null)("Twilio's own contract", () => {
  afterAll(() => judged?.forget());

  test("accepts every request we send and every answer of the sandbox", () => {
    expect(judged?.violations()).toEqual([]);
    expect(judged?.judged()).toBeGreaterThan(50);
  });
});

test.each([
  [503, "Trunk CPS limit exceeded", /calls per second/],
  [403, "Concurrent call limit exceeded", /simultaneous calls/],
  [403, "32205 Geo permission", /country are off/],
  [
    403,
    "Caller ID is unauthorized. A Valid Caller ID is either a DID you have purchased from Twilio or a verified Caller ID",
    /needs a caller ID/,
  ],
  [402, "Payment Required", /no balance left/],
  [403, "Number is unverified", /trial account/],
] as const)("explains %i %s, which is the carrier's, in a sentence", (status, reason, sentence) => {
  expect(explainRefusal(status, reason)).toEqual({
    sentence: expect.stringMatching(sentence),
    ofCarrier: true,
    ...(/CPS/.test(reason) && { tooFast: true }),
  });
});

test.each([
  [401, 20003, "key-refused", /doesn’t accept this key/],
  [403, null, "not-permitted", /may not do that/],
  [402, null, "no-balance", /no balance left/],
  [400, 21404, "unverified", /Upgrade the account/],
  [400, 21422, "number-gone", /isn’t for sale any more/],
  [400, 21649, "requirement-missing", /regulatory bundle/],
  [403, 13227, "country-not-permitted", /country are off/],
  [429, 20429, "too-many-requests", /Try again in a minute/],
  [500, null, "unreachable", /failure of its own/],
  [500, 21422, "unreachable", /failure of its own/],
  [408, null, "unreachable", /failure of its own/],
] as const)("tells the error %i %s of its API as %s, in a sentence", async (status, code, fault, sentence) => {
  const body = { status, code, message: "Its own words", more_info: "https://www.twilio.com/docs/errors" };
  const api = await serveVendor(() => ({ status, body }));
  const sandbox = { address: api.address, sip: "", sipOverTls: { address: "", authority: "" } };
  const key = settings.parse({ accountSid: `AC${"1".repeat(32)}`, authToken: "1".repeat(32) });
  const account = await provisioner.open(key, { sandbox });
  onTestFinished(async () => {
    account.close();
    await api.close();
  });
  const message = expect.stringMatching(new RegExp(`${sentence.source}.*\\.$`));
  await expect(account.account()).rejects.toMatchObject({ name: "ProvisionerError", fault, message });
  await expect(account.numbers()).rejects.toMatchObject({ fault, message });
});

test("blames Twilio for a response of the wrong shape, and not for an error of our own code that its client runs", async () => {
  const stranger = await serveVendor(() => ({ status: 200, body: {} }));
  const sandbox = { address: stranger.address, sip: "", sipOverTls: { address: "", authority: "" } };
  const api = openApi({ accountSid: `AC${"1".repeat(32)}`, authToken: "1".repeat(32) }, sandbox);
  onTestFinished(async () => {
    api.close();
    await stranger.close();
  });
  await expect(findTrunk(api, "leadline-1")).rejects.toMatchObject({
    name: "ProvisionerError",
    message: expect.stringMatching(/can’t read the response/),
  });
  const mistake = new TypeError("a mistake of ours");
  const params = {
    toString() {
      throw mistake;
    },
  };
  const asking = api.client.request({ method: "get", uri: "https://api.twilio.com/", params: { params } });
  await expect(answered(asking)).rejects.toBe(mistake);
});

test("takes only 204 for a deletion, because the official client takes any success", async () => {
  const stranger = await serveVendor(() => ({ status: 200, body: { ok: true } }));
  const sandbox = { address: stranger.address, sip: "", sipOverTls: { address: "", authority: "" } };
  const api = openApi({ accountSid: `AC${"1".repeat(32)}`, authToken: "1".repeat(32) }, sandbox);
  onTestFinished(async () => {
    api.close();
    await stranger.close();
  });
  const removing = api.client.trunking.v1.trunks(`TK${"1".repeat(32)}`).remove();
  await expect(removing).rejects.toMatchObject({ fault: "unreachable" });
});

test("offers mobile and toll-free numbers too where there are enough local ones, and a longer search begins the same", async () => {
  const kinds: Record<string, string> = { Local: "+4420794600", Mobile: "+4477009000", TollFree: "+4480800000" };
  const api = await serveVendor(({ path, query }) => {
    const [, kind = ""] = /AvailablePhoneNumbers\/GB\/(\w+)\.json$/.exec(path) ?? [];
    const stock = Array.from({ length: 90 }, (_, n) => ({ phone_number: `${kinds[kind]}${n + 10}` }));
    const available_phone_numbers = stock.slice(0, Number(query.get("PageSize") ?? 50));
    const phone_number_prices = ["local", "mobile", "toll free"].map((number_type) => ({
      number_type,
      current_price: "1",
    }));
    return {
      status: 200,
      body: kind === "" ? { price_unit: "USD", phone_number_prices } : { available_phone_numbers },
    };
  });
  const sandbox = { address: api.address, sip: "", sipOverTls: { address: "", authority: "" } };
  const key = settings.parse({ accountSid: `AC${"1".repeat(32)}`, authToken: "1".repeat(32) });
  const account = await provisioner.open(key, { sandbox });
  onTestFinished(async () => {
    account.close();
    await api.close();
  });
  const search = async (limit: number) =>
    (await account.searchNumbers({ countryCode: "GB", query: null, limit })).map(({ number }) => number);
  const page = await search(41);
  for (const prefix of Object.values(kinds)) expect(page.filter((number) => number.startsWith(prefix))).not.toEqual([]);
  expect(page).toHaveLength(41);
  expect((await search(81)).slice(0, 41)).toEqual(page);
});

test("shows no price of an account in another currency as dollars", async () => {
  const euros = { price_unit: "EUR", phone_number_prices: [{ number_type: "local", current_price: "1.00" }] };
  const reading = readPrices({ read: async (_url, shape) => shape.parse(euros) }, "DE");
  await expect(reading).rejects.toMatchObject({ fault: "refused", message: expect.stringMatching(/are in EUR/) });
});

test("leaves the callee's responses alone", () => {
  for (const status of [486, 603, 404])
    for (const reason of ["Busy Here", "No trial calls, please", "Decline 13227"])
      expect(explainRefusal(status, reason)).toBeNull();
});

test("a subaccount, whose balance is its parent's, has none of its own", async () => {
  const accountSid = `AC${"1".repeat(32)}`;
  const api = await serveVendor(({ path }) => ({
    status: 200,
    body: path.includes("Balance")
      ? { account_sid: accountSid, balance: null, currency: null }
      : { sid: accountSid, friendly_name: "Leadline", status: "active", type: "Full" },
  }));
  const sandbox = { address: api.address, sip: "", sipOverTls: { address: "", authority: "" } };
  const account = await provisioner.open(settings.parse({ accountSid, authToken: "1".repeat(32) }), { sandbox });
  onTestFinished(async () => {
    account.close();
    await api.close();
  });
  expect(await account.account()).toMatchObject({ name: "Leadline", balance: null });
});

test("says what Twilio's header says about a caller", () => {
  const verdicts = ["TN-Validation-Passed-A", "TN-Validation-Passed-B", "TN-Validation-Failed", "No-TN-Validation"];
  expect(verdicts.map((verstat) => verifiesCaller({ "x-twilio-verstat": verstat }))).toEqual([
    "passed-a",
    "passed-b",
    "failed",
    "none",
  ]);
  expect(verifiesCaller({})).toBeNull();
});
