import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import type { Rate } from "@leadline/contract/rates";
import { describe, expect, test, vi } from "vitest";
import { flatRate } from "../../testing/flat-rate.ts";
import { sandboxLine } from "../../testing/sandbox-line.ts";
import { newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";

const { kind, line } = sandboxLine();
const app = testAppWithCalls([sandbox, line]);
const since = "2000-01-01";

/** With 2 cents a minute for all numbers, and 5 for those that begin with 49. */
async function newPricedCarrier(): Promise<{ rep: Rep; id: string }> {
  const rep = await newRep(app);
  const carrier = { kind, label: "Line", settings: { line: "1" }, pricePerMinute: 20_000 };
  const { id } = (await app.ask("POST", "/v1/carriers", { token: rep.token, body: carrier })).json();
  expect((await save(rep, id, { prefix: "49", ...flatRate(50_000) })).statusCode).toBe(200);
  return { rep, id };
}
const save = (rep: Rep, id: string, rate: object, currentPassword?: string) =>
  app.ask("PUT", `/v1/carriers/${id}/rates`, {
    token: rep.token,
    body: { effectiveFrom: since, ...rate, currentPassword },
  });
const setMargin = (rep: Rep, id: string, marginPercent: number, currentPassword?: string) =>
  app.ask("PUT", `/v1/carriers/${id}/margin`, { token: rep.token, body: { marginPercent, currentPassword } });
const ratesOf = async (rep: Rep, id: string): Promise<Rate[]> =>
  (await app.ask("GET", `/v1/carriers/${id}/rates`, { token: rep.token })).json().rates;
const remove = (rep: Rep, rateId: string | undefined, currentPassword?: string) =>
  app.ask("DELETE", `/v1/rates/${rateId}`, { token: rep.token, body: { currentPassword } });
const upload = (rep: Rep, id: string, csv: string, currentPassword?: string) => {
  const form = new FormData();
  form.append("carrierId", id);
  if (currentPassword !== undefined) form.append("currentPassword", currentPassword);
  form.append("file[]", new File([csv], "rates.csv"));
  return app.ask("POST", "/v1/rates/import", { token: rep.token, form });
};
const asksForPassword = "/api/docs#password-required";

describe("the first rate of a number", () => {
  async function newCarrierWithoutRates(): Promise<{ rep: Rep; id: string }> {
    const rep = await newRep(app);
    const carrier = { kind, label: "Line", settings: { line: "1" } };
    return { rep, id: (await app.ask("POST", "/v1/carriers", { token: rep.token, body: carrier })).json().id };
  }
  const put = async (rep: Rep, path: `/${string}`, body: object) =>
    expect(
      (await app.ask("PUT", path, { token: rep.token, body: { ...body, currentPassword: rep.password } })).statusCode,
    ).toBe(200);

  test.each([
    ["with a daily spending limit of its own", "/v1/limits", { dailySpend: 40_000_000 }],
    ["with a highest price per minute", "/v1/limits", { ratePerMinute: 100_000 }],
    ["with a member who has a daily limit", "member", { dailySpend: 1_000_000 }],
    ["that is prepaid", "/v1/billing/mode", { mode: "prepaid" }],
  ] as const)("takes the password again in an organisation %s, and mails the owners", async (_which, path, body) => {
    const { rep, id } = await newCarrierWithoutRates();
    await put(rep, path === "member" ? `/v1/limits/members/${rep.id}` : path, body);
    const first = { prefix: "49", ...flatRate(1) };
    expect((await save(rep, id, first)).json()).toMatchObject({
      type: asksForPassword,
      detail: expect.stringContaining("numbers without one"),
    });
    expect((await save(rep, id, first, rep.password)).statusCode).toBe(200);
    await vi.waitFor(
      async () => expect((await app.mailTo(rep.email)).text).toContain("has a rate for numbers that had none"),
      { timeout: 20_000 },
    );
    // Numbers that have a rate can get a dearer one.
    expect((await save(rep, id, { prefix: "4930", ...flatRate(2) })).statusCode).toBe(200);
  });

  test.each([
    ["with a daily spending limit of its own", "/v1/limits", { dailySpend: 40_000_000 }],
    ["that is prepaid", "/v1/billing/mode", { mode: "prepaid" }],
  ] as const)("takes the password again with a new carrier, in an organisation %s", async (_which, path, body) => {
    const { rep } = await newCarrierWithoutRates();
    await put(rep, path, body);
    const connect = (more: object) =>
      app.ask("POST", "/v1/carriers", {
        token: rep.token,
        body: { kind, label: "Cheap line", settings: { line: "2" }, ...more },
      });
    expect((await connect({ pricePerMinute: 100 })).json().type).toBe(asksForPassword);
    expect((await app.ask("GET", "/v1/carriers", { token: rep.token })).json()).toHaveLength(1);
    expect((await connect({})).statusCode).toBe(201);
    expect((await connect({ pricePerMinute: 100, currentPassword: rep.password })).statusCode).toBe(201);
    await vi.waitFor(
      async () => expect((await app.mailTo(rep.email)).text).toContain("has a rate for numbers that had none"),
      { timeout: 20_000 },
    );
  });

  test("takes no password while calls without a rate are allowed anyway", async () => {
    const { rep, id } = await newCarrierWithoutRates();
    expect((await save(rep, id, { prefix: "49", ...flatRate(1) })).statusCode).toBe(200);
  });
});

describe("a change that makes calls cheaper takes the password again:", () => {
  test("a lower rate, or one for more digits below the rate that applies to them", async () => {
    const { rep, id } = await newPricedCarrier();
    for (const cheaper of [
      { prefix: "49", ...flatRate(49_999) },
      { prefix: "4930", ...flatRate(40_000) },
      { prefix: "1", ...flatRate(0) },
      { prefix: "49", ...flatRate(60_000), nextSeconds: 1 },
      // A call of 180.5 s is billed 183 s instead of 240, and one of 119 s 119 instead of 120.
      { prefix: "49", ...flatRate(50_000), nextSeconds: 61 },
      { prefix: "49", ...flatRate(50_000), firstSeconds: 119 },
      { prefix: "49", effectiveFrom: "2999-01-01", ...flatRate(1) },
    ])
      expect((await save(rep, id, cheaper)).json().type).toBe(asksForPassword);
    expect(await ratesOf(rep, id)).toHaveLength(2);
    expect((await save(rep, id, { prefix: "4930", ...flatRate(40_000) }, rep.password)).statusCode).toBe(200);
    for (const dearer of [
      { prefix: "49", ...flatRate(50_001) },
      { prefix: "49", ...flatRate(50_001), firstSeconds: 120, nextSeconds: 120 },
      { prefix: "4930", ...flatRate(40_000) },
      { prefix: "1", ...flatRate(30_000) },
    ])
      expect((await save(rep, id, dearer)).statusCode).toBe(200);
  });

  test("a lower margin", async () => {
    const { rep, id } = await newPricedCarrier();
    expect((await setMargin(rep, id, 15)).statusCode).toBe(200);
    expect((await setMargin(rep, id, 14)).json().type).toBe(asksForPassword);
    expect((await setMargin(rep, id, 14, "another password")).json().type).toBe("/api/docs#wrong-credentials");
    expect((await setMargin(rep, id, 14, rep.password)).json()).toEqual({ marginPercent: 14 });
  });

  test("the removal of a rate, unless a rate that isn’t lower takes over", async () => {
    const { rep, id } = await newPricedCarrier();
    await save(rep, id, { prefix: "49", effectiveFrom: "2001-01-01", ...flatRate(50_000) });
    const [newest] = (await ratesOf(rep, id)).filter(({ prefix }) => prefix === "49");
    expect((await remove(rep, newest?.id)).statusCode).toBe(204);
    for (const { id: rateId } of (await ratesOf(rep, id)).toReversed()) {
      expect((await remove(rep, rateId)).json().type).toBe(asksForPassword);
      expect((await remove(rep, rateId, rep.password)).statusCode).toBe(204);
    }
    expect(await ratesOf(rep, id)).toEqual([]);
  });

  test("a CSV with one lower rate, of which nothing is imported without it", async () => {
    const { rep, id } = await newPricedCarrier();
    const csv = "Prefix,Price\n44,0.03\n4930,0.01";
    expect((await upload(rep, id, csv)).json().type).toBe(asksForPassword);
    expect(await ratesOf(rep, id)).toHaveLength(2);
    expect((await upload(rep, id, csv, rep.password)).json()).toEqual({ imported: 2 });
    expect((await upload(rep, id, "Prefix,Price\n43,0.03")).json()).toEqual({ imported: 1 });
  });
});
