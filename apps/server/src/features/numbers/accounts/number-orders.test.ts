import { randomUUID } from "node:crypto";
import {
  type CallRecord,
  type Provisioner,
  ProvisionerError,
  type ProvisionerModule,
} from "@leadline/adapter-kit/provisioner";
import type { NumberOrder, UnusedNumber } from "@leadline/contract/number-orders";
import type { AvailableNumber, NumberUse, PhoneNumber } from "@leadline/contract/phone-numbers";
import { sql } from "kysely";
import { afterEach, describe, expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { atVendor, connectAccount } from "../../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();

/** Hooks into purchases at the vendor, and into what precedes them. */
let onBuy: ((buy: () => ReturnType<Provisioner["buy"]>) => ReturnType<Provisioner["buy"]>) | null = null;
let beforeSearch: (() => Promise<unknown>) | null = null;
afterEach(() => void ([onBuy, beforeSearch] = [null, null]));
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  async open(key, options) {
    const provisioner = await module.open(key, options);
    return {
      ...provisioner,
      searchNumbers: async (wanted) => (await beforeSearch?.(), provisioner.searchNumbers(wanted)),
      buy: (intent) => (onBuy ? onBuy(() => provisioner.buy(intent)) : provisioner.buy(intent)),
    };
  },
}));
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, modules, publicAddress: async () => null, resumeEveryMs: 100 }),
});

describe.each(provisioners.map(({ module }) => [module.name, module.id] as const))("%s", (name, vendor) => {
  const there = () => {
    const sandbox = sandboxes.get(vendor);
    if (!sandbox) throw new Error(`${vendor} has no sandbox.`);
    return { vendor, sandbox };
  };
  const connected = async () => {
    const rep = await newRep(app);
    return { rep, account: await connectAccount(app, rep, there()) };
  };
  const get = async (rep: Rep, path: `/${string}`) => (await app.ask("GET", path, { token: rep.token })).json();
  const owned = (rep: Rep): Promise<PhoneNumber[]> => get(rep, "/v1/phone-numbers");
  const orders = async (rep: Rep): Promise<NumberOrder[]> =>
    (await app.ask("GET", "/v1/number-orders", { token: rep.token })).json();
  const search = (rep: Rep, accountId: string, query?: string): Promise<AvailableNumber[]> => {
    const asked = new URLSearchParams({ countryCode: "US", accountId, ...(query !== undefined && { query }) });
    return get(rep, `/v1/phone-numbers/available?${asked}`);
  };
  const order = (rep: Rep, body: { accountId: string; number: string; countryCode?: string }, key = randomUUID()) =>
    app.ask("POST", "/v1/number-orders", {
      token: rep.token,
      body: { countryCode: "US", ...body },
      headers: { "idempotency-key": key },
    });
  const bought = async (rep: Rep, accountId: string): Promise<string> => {
    const [{ number } = { number: "" }] = await search(rep, accountId);
    expect((await order(rep, { accountId, number })).json()).toMatchObject({ state: "bought", sentence: null });
    return number;
  };
  const check = async (rep: Rep, accountId: string): Promise<UnusedNumber[]> =>
    (await app.ask("POST", `/v1/carrier-accounts/${accountId}/check-numbers`, { token: rep.token })).json();

  test("a number of the organisation's own account is found with its price, bought, shown to callees, called and released", async () => {
    const { rep, account } = await connected();
    const use: NumberUse = await get(rep, "/v1/phone-numbers/use");
    expect(use).toMatchObject({ accountId: account.id, sellers: [{ accountId: account.id, name, isSandbox: true }] });
    const [offered] = await search(rep, account.id, "Denver");
    expect(offered).toMatchObject({ location: "Denver", monthlyCost: expect.any(Number) });
    const accountId = account.id;
    const { number = "", monthlyCost } = offered ?? {};
    const before = there().sandbox.counts();
    expect((await order(rep, { accountId, number })).statusCode).toBe(201);
    const [own] = await owned(rep);
    expect(own).toMatchObject({ number, provider: name, accountId, monthlyCost, isCallerId: true });
    expect(there().sandbox.counts()).toMatchObject({ numbers: before.numbers + 1, charges: before.charges + 1 });
    expect(await get(rep, "/v1/billing/statement")).toMatchObject({
      days: [],
      numbers: [{ number, monthlyCostMicros: monthlyCost }],
    });

    const since = new Date(Date.now() - 60_000).toISOString();
    const callSid = await dial(app, rep, "+12025550100");
    await waitForStatus(app, rep, { callSid, status: "in-progress" });
    await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
    await vi.waitFor(() =>
      atVendor(there(), async (provisioner) => {
        const records: CallRecord[] = [];
        for await (const record of provisioner.records({ trunk: account.trunk, since })) records.push(record);
        expect(records).toContainEqual(expect.objectContaining({ from: number, to: "+12025550100" }));
      }),
    );
    await vi.waitFor(async () => {
      const [carrier] = await get(rep, "/v1/carriers");
      expect(carrier.state.level).toBe("working");
    });
    await there().sandbox.call({ from: "+13125550142", to: number });
    await vi.waitFor(async () =>
      expect(await get(rep, "/v1/calls")).toContainEqual(
        expect.objectContaining({ direction: "inbound", phoneNumber: "+13125550142" }),
      ),
    );

    expect((await app.ask("DELETE", `/v1/phone-numbers/${own?.id}`, { token: rep.token })).statusCode).toBe(204);
    expect(there().sandbox.counts().numbers).toBe(before.numbers);
    expect(await owned(rep)).toEqual([]);
    expect(await check(rep, accountId)).toEqual([]);
  });

  test.each(["before", "after"] as const)(
    "a process killed %s the vendor has sold a number leaves it bought once",
    async (moment) => {
      const { rep, account } = await connected();
      const before = there().sandbox.counts();
      const [{ number } = { number: "" }] = await search(rep, account.id);
      let kills = 1;
      onBuy = async (buy) => {
        const dies = kills-- > 0;
        if (dies && moment === "before") throw new Error("killed");
        const purchase = await buy();
        if (dies) throw new Error("killed");
        return purchase;
      };
      await order(rep, { accountId: account.id, number });
      expect(kills).toBeLessThanOrEqual(0);
      await vi.waitFor(async () => expect(await owned(rep)).toMatchObject([{ number }]));
      expect(there().sandbox.counts()).toMatchObject({ numbers: before.numbers + 1, charges: before.charges + 1 });
      expect(await orders(rep)).toEqual([]);
    },
  );

  test("the same request sent again returns the first order", async () => {
    const { rep, account } = await connected();
    const before = there().sandbox.counts().charges;
    const [{ number } = { number: "" }] = await search(rep, account.id);
    const key = randomUUID();
    const wish = { accountId: account.id, number };
    // The second one finds that the number is no longer for sale.
    const first = Promise.withResolvers<unknown>();
    const turns = [Promise.resolve(), first.promise];
    beforeSearch = async () => turns.shift();
    const asked = [order(rep, wish, key), order(rep, wish, key)] as const;
    first.resolve(Promise.race(asked));
    const [one, other] = await Promise.all(asked);
    expect(one.json().id).toBe(other.json().id);
    expect((await order(rep, wish, key)).json()).toMatchObject({ id: one.json().id, state: "bought" });
    expect(there().sandbox.counts().charges).toBe(before + 1);
    const reused = await order(rep, { ...wish, number: "+12025550111" }, key);
    expect(reused.json().type).toBe("/api/docs#idempotency-key-reused");
  });

  test("an order that the vendor is processing is shown as pending, and completes by itself", async () => {
    const { rep, account } = await connected();
    const [{ number } = { number: "" }] = await search(rep, account.id);
    let isReady = false;
    onBuy = async (buy) => (isReady ? buy() : { state: "pending", sentence: "The vendor is working on the order." });
    const placed = await order(rep, { accountId: account.id, number });
    expect(placed.json()).toMatchObject({ state: "pending", sentence: "The vendor is working on the order." });
    expect(await orders(rep)).toMatchObject([{ number, state: "pending" }]);
    expect(await owned(rep)).toEqual([]);
    isReady = true;
    await vi.waitFor(async () => expect(await owned(rep)).toMatchObject([{ number }]));
    expect(await orders(rep)).toEqual([]);
  });

  test("an order that the vendor refuses later shows the refusal until an admin dismisses it", async () => {
    const { rep, account } = await connected();
    const [{ number } = { number: "" }] = await search(rep, account.id);
    let answer: () => ReturnType<Provisioner["buy"]> = async () => ({ state: "pending", sentence: "Wait." });
    onBuy = () => answer();
    await order(rep, { accountId: account.id, number });
    answer = async () => {
      throw new ProvisionerError("number-gone", "This number isn’t for sale any more. Choose another one.");
    };
    await vi.waitFor(async () =>
      expect(await orders(rep)).toMatchObject([{ number, state: "refused", sentence: expect.stringMatching(/isn’t/) }]),
    );
    const [refused] = await orders(rep);
    const dismissed = () => app.ask("DELETE", `/v1/number-orders/${refused?.id}`, { token: rep.token });
    expect((await dismissed()).statusCode).toBe(204);
    expect(await orders(rep)).toEqual([]);
    expect((await dismissed()).statusCode).toBe(404);
    // The purchase can be tried again.
    onBuy = null;
    expect((await order(rep, { accountId: account.id, number })).json()).toMatchObject({ state: "bought" });
  });

  test("a country's requirements are shown before the purchase, which is refused if they aren't met", async () => {
    const { rep, account } = await connected();
    const before = there().sandbox.counts();
    const query = new URLSearchParams({ countryCode: "FR", accountId: account.id });
    const [{ number } = { number: "" }] = await get(rep, `/v1/phone-numbers/available?${query}`);
    const asked = new URLSearchParams({ accountId: account.id, countryCode: "FR", number });
    const { token } = rep;
    const requirements = (await app.ask("GET", `/v1/number-requirements?${asked}`, { token })).json();
    expect(requirements).toContainEqual({ met: false, sentence: expect.stringMatching(/\.$/) });
    const refused = await order(rep, { accountId: account.id, number, countryCode: "FR" });
    expect(refused.json()).toMatchObject({
      type: "/api/docs#carrier-refused",
      detail: `${requirements.map(({ sentence }: { sentence: string }) => sentence).join(" ")} Nothing was bought.`,
    });
    expect(there().sandbox.counts()).toEqual(before);
    expect(await orders(rep)).toEqual([]);
  });

  test("numbers bought, released or moved at the vendor are found by comparing", async () => {
    const { rep, account } = await connected();
    const lost = await bought(rep, account.id);
    const other = await connected();
    await atVendor(there(), (provisioner) => provisioner.release(lost));
    // A number bought a moment ago may not be in a vendor's list yet.
    await check(rep, account.id);
    expect((await owned(rep)).map(({ number }) => number)).toEqual([lost]);
    expect(await orders(rep)).toEqual([]);
    await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
      sql`update phone_numbers set state_since = state_since - interval '1 hour'`.execute(tx),
    );
    const found = await atVendor(there(), async (provisioner) => {
      const offered = await provisioner.searchNumbers({ countryCode: "US", query: null, limit: 40 });
      const buy = async (number: string, trunk: string) => {
        const intent = { number, countryCode: "US", type: "local", trunk, reference: randomUUID() } as const;
        await vi.waitFor(async () => expect((await provisioner.buy(intent)).state).toBe("bought"));
        return number;
      };
      // The last ones, because other tests with another vendor may take the first ones.
      const [here = "", elsewhere = ""] = offered.slice(-2).map(({ number }) => number);
      return { here: await buy(here, account.trunk), elsewhere: await buy(elsewhere, other.account.trunk) };
    });
    // The next carrier's caller ID stays, because it isn't in this account.
    expect(await check(rep, account.id)).toContainEqual({
      number: found.elsewhere,
      use: expect.stringContaining(other.account.trunk),
    });
    expect(await owned(rep)).toMatchObject([{ number: found.here, accountId: account.id, isCallerId: true }]);
    const told = await orders(rep);
    expect(told.map(({ number, state }) => [number, state]).toSorted()).toEqual(
      [
        [lost, "changed-elsewhere"],
        [found.here, "changed-elsewhere"],
      ].toSorted(),
    );
    for (const { sentence } of told) expect(sentence).toContain(`at ${name}, not here.`);

    const adopt = (more: object) =>
      app.ask("POST", `/v1/carrier-accounts/${account.id}/numbers`, {
        token: rep.token,
        body: { number: found.elsewhere, ...more },
      });
    expect((await adopt({})).json()).toMatchObject({
      type: "/api/docs#carrier-refused",
      detail: expect.stringContaining(other.account.trunk),
    });
    expect((await adopt({ moves: true })).json()).toMatchObject({ state: "bought", number: found.elsewhere });
    expect((await owned(rep)).map(({ number }) => number)).toContain(found.elsewhere);
    expect(await atVendor(there(), (provisioner) => provisioner.numbers())).toContainEqual(
      expect.objectContaining({ number: found.elsewhere, trunk: account.trunk }),
    );
    // Other organisations on this server aren't offered it, and can't take it.
    expect(await check(other.rep, other.account.id)).toEqual([]);
    const taken = await app.ask("POST", `/v1/carrier-accounts/${other.account.id}/numbers`, {
      token: other.rep.token,
      body: { number: found.elsewhere },
    });
    expect(taken.json().type).toBe("/api/docs#number-taken");
  });

  test("disconnecting an account removes its numbers from the list, and keeps them at the vendor", async () => {
    const { rep, account } = await connected();
    await bought(rep, account.id);
    const { numbers } = there().sandbox.counts();
    await app.ask("DELETE", `/v1/carrier-accounts/${account.id}`, { token: rep.token });
    expect(await owned(rep)).toEqual([]);
    expect(there().sandbox.counts().numbers).toBe(numbers);
    expect(await get(rep, "/v1/phone-numbers/use")).toMatchObject({ accountId: null, sellers: [{ accountId: null }] });
  });

  test("another organisation's account is not found", async () => {
    const [{ account }, stranger] = [await connected(), await newRep(app)];
    const wish = { accountId: account.id, number: "+12025550111" };
    expect((await order(stranger, wish)).json().type).toBe("/api/docs#not-found");
    expect(
      (await app.ask("POST", `/v1/carrier-accounts/${account.id}/check-numbers`, { token: stranger.token })).statusCode,
    ).toBe(404);
    const available = `/v1/phone-numbers/available?countryCode=US&accountId=${account.id}` as const;
    expect((await app.ask("GET", available, { token: stranger.token })).statusCode).toBe(404);
  });
});
