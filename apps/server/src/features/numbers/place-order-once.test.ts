import { randomUUID } from "node:crypto";
import type { AvailableNumber, PhoneNumber } from "@leadline/contract/phone-numbers";
import { describe, expect, test } from "vitest";
import { carrierModules, provisioners } from "../../adapters.ts";
import { connectAccount } from "../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../testing/own-vendor-sandboxes.ts";
import { newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";

const maxNumbers = 12;
const { databaseUrl, sandboxes } = await ownVendorSandboxes();
const accounts = () => ({ sandboxes, publicAddress: async () => null });
const app = testAppWithCalls(carrierModules, { databaseUrl, accounts, maxNumbers });
const [seller] = provisioners;

/** Buys with and without an account. */
const waysToBuy = {
  "the installation’s carrier": async () => null,
  "the organisation’s account": async (rep: Rep) => {
    const vendor = seller?.module.id ?? "";
    const sandbox = sandboxes.get(vendor);
    if (!sandbox) throw new Error(`${vendor} has no sandbox.`);
    return (await connectAccount(app, rep, { vendor, sandbox })).id;
  },
};

describe.each(Object.entries(waysToBuy))("bought from %s", (_, connect) => {
  async function newBuyer() {
    const rep = await newRep(app);
    const accountId = await connect(rep);
    const query = new URLSearchParams({ countryCode: "US", ...(accountId !== null && { accountId }) });
    const found = await app.ask("GET", `/v1/phone-numbers/available?${query}`, { token: rep.token });
    const offered: AvailableNumber[] = found.json();
    const buy = (index: number, body: { currentPassword?: string } = {}, key: string = randomUUID()) =>
      app.ask("POST", accountId === null ? "/v1/phone-numbers" : "/v1/number-orders", {
        token: rep.token,
        body: { number: offered[index]?.number, ...(accountId !== null && { accountId, countryCode: "US" }), ...body },
        headers: { "idempotency-key": key },
      });
    const list = async (): Promise<PhoneNumber[]> =>
      (await app.ask("GET", "/v1/phone-numbers", { token: rep.token })).json();
    return { rep, buy, list };
  }

  test("an organisation has numbers up to its limit, even if they are bought at once, and again once one is released", async () => {
    const { rep, buy, list } = await newBuyer();
    const currentPassword = rep.password;
    const bought = await Promise.all(Array.from({ length: 14 }, (__, index) => buy(index, { currentPassword })));
    const refused = bought.filter(({ statusCode }) => statusCode !== 201).map((each) => each.json());
    expect(refused).toMatchObject(
      Array.from({ length: 2 }, () => ({
        status: 409,
        type: "/api/docs#quota-reached",
        detail:
          "Your organisation has 12 phone numbers, which is the limit. Release one you no longer need, or ask the administrator of this server to raise the limit.",
      })),
    );
    const [first] = await list();
    await app.ask("DELETE", `/v1/phone-numbers/${first?.id}`, { token: rep.token });
    expect((await buy(14, { currentPassword })).statusCode).toBe(201);
    expect(await list()).toHaveLength(maxNumbers);
  });

  test("more than ten numbers in 24 hours take the password, even if earlier ones were released", async () => {
    const { rep, buy, list } = await newBuyer();
    const bought = await Promise.all(Array.from({ length: 12 }, (__, index) => buy(index)));
    expect(bought.filter(({ statusCode }) => statusCode === 201)).toHaveLength(10);
    for (const { id } of await list()) await app.ask("DELETE", `/v1/phone-numbers/${id}`, { token: rep.token });
    const key = randomUUID();
    expect((await buy(12, {}, key)).json()).toMatchObject({
      type: "/api/docs#password-required",
      detail: "Enter your password to buy more than 10 numbers in 24 hours.",
    });
    expect((await buy(12, { currentPassword: "not this one" }, key)).json().type).toBe("/api/docs#wrong-credentials");
    expect((await buy(12, { currentPassword: rep.password }, key)).statusCode).toBe(201);
    expect((await buy(12, {}, key)).statusCode).toBe(201);
    expect(await list()).toHaveLength(1);
  });
});
