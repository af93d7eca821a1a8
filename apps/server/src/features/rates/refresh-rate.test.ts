import { setTimeout as sleep } from "node:timers/promises";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import { maxRates, type NumberRate, type Rate } from "@leadline/contract/rates";
import { describe, expect, test, vi } from "vitest";
import { createLog } from "../../log.ts";
import { flatRate } from "../../testing/flat-rate.ts";
import { sandboxLine } from "../../testing/sandbox-line.ts";
import { newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";
import type { RateDeps } from "./rate-deps.ts";
import { refreshRate } from "./refresh-rate.ts";

const { kind, line } = sandboxLine();
const app = testAppWithCalls([sandbox, line]);
const speaking = "+12025550100";
const since = "2000-01-01";

async function connect(rep: Rep): Promise<string> {
  const body = { kind, label: "Line", settings: { line: "1" } };
  return (await app.ask("POST", "/v1/carriers", { token: rep.token, body })).json().id;
}
const save = (rep: Rep, carrierId: string, rate: object, currentPassword: string | null = rep.password) =>
  app.ask("PUT", `/v1/carriers/${carrierId}/rates`, {
    token: rep.token,
    body: { effectiveFrom: since, ...flatRate(10_000), ...rate, ...(currentPassword !== null && { currentPassword }) },
  });
const rateOf = async (rep: Rep, phoneNumber: string): Promise<NumberRate> =>
  (
    await app.ask("GET", `/v1/rates/number?phoneNumber=${encodeURIComponent(phoneNumber)}`, { token: rep.token })
  ).json();
const micros = async (rep: Rep, number: string) => (await rateOf(rep, number)).rate?.perMinuteMicros;
const ratesOf = async (rep: Rep, carrierId: string): Promise<Rate[]> =>
  (await app.ask("GET", `/v1/carriers/${carrierId}/rates`, { token: rep.token })).json().rates;

/** Refreshes a number's rate from an API with these prices, and returns what the API was asked. */
const refresher =
  (
    rep: Rep,
    carrierId: string,
    {
      of = "country",
      currency = "USD",
      log = createLog("silent"),
    }: { of?: "country" | "number"; currency?: string; log?: RateDeps["log"] } = {},
  ) =>
  async (phoneNumber: string, prices: Record<string, number>): Promise<object[]> => {
    const asked: object[] = [];
    const description = "As read";
    const rates = Object.entries(prices).map(([prefix, price]) => ({ prefix, micros: price, description }));
    const api: RateDeps["api"] = {
      hasApi: async () => true,
      async read(_, number) {
        asked.push(number);
        return { of, rates: rates.map((rate) => ({ ...rate, currency, incrementSeconds: 60 })) };
      },
    };
    const call = { organisationId: rep.organisationId, phoneNumber, carrier: kind, connection: { id: carrierId } };
    await refreshRate({ database: app.database, log, api, alertOwners: async () => {} }, call);
    return asked;
  };

/** As if the API was last asked long ago. */
const forget = (rep: Rep) =>
  app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
    tx.updateTable("carrier_rate_readings").set({ read_at: "2000-01-01T00:00:00Z" }).execute(),
  );

test("rates from the carrier's API replace earlier ones, but never an entered rate", async () => {
  const rep = await newRep(app);
  const carrierId = await connect(rep);
  await save(rep, carrierId, { prefix: "4477", perMinuteMicros: 30_000 });
  const refresh = refresher(rep, carrierId);
  await refresh("+442079460123", { 44: 10_000, 4477: 15_000 });
  await forget(rep);
  await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
    tx.updateTable("carrier_rates").set({ effective_from: since }).where("from_carrier", "=", true).execute(),
  );
  await refresh("+442079460123", { 44: 12_000, 4477: 15_000 });
  await vi.waitFor(async () =>
    expect((await rateOf(rep, "+442079460123")).rate).toMatchObject({ perMinuteMicros: 12_000 }),
  );
  expect((await rateOf(rep, "+447712345678")).rate).toMatchObject({ perMinuteMicros: 30_000 });
  expect((await ratesOf(rep, carrierId)).map(({ prefix }) => prefix)).toEqual(["44", "4477"]);
});

describe("a rate that was read from the carrier's API for one number", () => {
  test("isn't taken for that of a number in a country that shares its first digits", async () => {
    const rep = await newRep(app);
    const refresh = refresher(rep, await connect(rep));
    expect(await refresh(speaking, { 1: 13_000, 1907: 90_000 })).toEqual([{ digits: "12025550100", country: "US" }]);
    // The country's rates were read as a whole.
    expect(await refresh("+19072345678", {})).toEqual([]);
    expect(await micros(rep, "+19072345678")).toBe(90_000);
    expect(await refresh("+18765230123", { 1876: 250_000 })).toEqual([{ digits: "18765230123", country: "JM" }]);
    expect([await micros(rep, "+18765230123"), await micros(rep, speaking)]).toEqual([250_000, 13_000]);
  });

  test("isn't taken for that of another number if the API knows rates by number only", async () => {
    const rep = await newRep(app);
    const refresh = refresher(rep, await connect(rep), { of: "number" });
    await refresh("+493012345678", { 49: 10_000 });
    expect(await refresh("+493012345699", {})).toEqual([]);
    await refresh("+4915112345678", { 4915: 50_000 });
    expect([await micros(rep, "+493012345678"), await micros(rep, "+4915112345678")]).toEqual([10_000, 50_000]);
  });

  test("is read again once a person has removed it", async () => {
    const rep = await newRep(app);
    const id = await connect(rep);
    const refresh = refresher(rep, id);
    await refresh("+19072345678", { 1: 13_000, 1907: 90_000 });
    const rate = (await ratesOf(rep, id)).find(({ prefix }) => prefix === "1907");
    const body = { currentPassword: rep.password };
    await app.ask("DELETE", `/v1/rates/${rate?.id}`, { token: rep.token, body });
    expect(await refresh("+19072345678", { 1: 13_000, 1907: 90_000 })).toHaveLength(1);
    expect(await micros(rep, "+19072345678")).toBe(90_000);
  });
});

describe("a rate that a person enters without the password", () => {
  test("doesn't replace the one from the carrier's API before its day", async () => {
    const rep = await newRep(app);
    const id = await connect(rep);
    const refresh = refresher(rep, id);
    await refresh("+447797123456", { 44: 13_000, 447797: 310_000 });
    const later = { prefix: "447797", effectiveFrom: "2999-01-01", perMinuteMicros: 310_000 };
    expect((await save(rep, id, later, null)).statusCode).toBe(200);
    await forget(rep);
    await refresh("+447797123456", { 44: 13_000, 447797: 320_000 });
    await vi.waitFor(async () => expect(await micros(rep, "+447797123456")).toBe(320_000));
  });

  test("doesn't keep the carrier's API from being asked about longer prefixes", async () => {
    const rep = await newRep(app);
    const id = await connect(rep);
    const refresh = refresher(rep, id);
    await refresh(speaking, { 1: 13_000 });
    const [{ effectiveFrom } = { effectiveFrom: since }] = await ratesOf(rep, id);
    const entered = { prefix: "1", effectiveFrom, perMinuteMicros: 13_100 };
    expect((await save(rep, id, entered, null)).statusCode).toBe(200);
    expect(await refresh("+18765230123", { 1876: 250_000 })).toHaveLength(1);
    expect(await refresh("+18765230123", {})).toEqual([]);
    expect([await micros(rep, "+18765230123"), await micros(rep, speaking)]).toEqual([250_000, 13_100]);
  });
});

test("an API whose rates are in another currency is asked about an entered rate's country once a day", async () => {
  const rep = await newRep(app);
  const id = await connect(rep);
  await save(rep, id, { prefix: "49" });
  const refresh = refresher(rep, id, { currency: "EUR" });
  expect(await refresh("+493012345678", { 49: 20_000 })).toHaveLength(1);
  expect(await refresh("+493012345678", { 49: 20_000 })).toEqual([]);
  expect(await micros(rep, "+493012345678")).toBe(10_000);
});

test("a reading of more rates than a carrier can have leaves those of the last one", async () => {
  const rep = await newRep(app);
  const log = createLog("silent");
  const warn = vi.spyOn(log, "warn");
  const refresh = refresher(rep, await connect(rep), { log });
  await refresh("+442079460123", { 44: 10_000 });
  await forget(rep);
  const longer = Array.from({ length: maxRates }, (_, n) => [`44${100_000 + n}`, 15_000]);
  await refresh("+442079460123", { 44: 12_000, ...Object.fromEntries(longer) });
  await vi.waitFor(() => expect(warn).toHaveBeenCalled(), { timeout: 20_000 });
  await sleep(300);
  expect(await micros(rep, "+442079460123")).toBe(10_000);
});
