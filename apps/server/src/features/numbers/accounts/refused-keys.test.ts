import { randomUUID } from "node:crypto";
import { type Provisioner, ProvisionerError, type ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import type { NumberOrder } from "@leadline/contract/number-orders";
import { afterEach, describe, expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { connectAccount } from "../../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { newRep, testAppWithCalls } from "../../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();

let onBuy: ((buy: () => ReturnType<Provisioner["buy"]>) => ReturnType<Provisioner["buy"]>) | null = null;
/** The vendor is sent a key that it refuses. */
let isKeyRevoked = false;
afterEach(() => void ([onBuy, isKeyRevoked] = [null, false]));
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  async open(key, options) {
    const revoked = Object.fromEntries(
      Object.entries(key).map(([name, value]) => [name, String(value).replace(/.{4}$/, "0000")]),
    );
    const provisioner = await module.open(isKeyRevoked ? revoked : key, options);
    return {
      ...provisioner,
      buy: (intent) => (onBuy ? onBuy(() => provisioner.buy(intent)) : provisioner.buy(intent)),
    };
  },
}));
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, modules, publicAddress: async () => null, resumeEveryMs: 100 }),
});

describe.each(provisioners.map(({ module }) => [module.name, module.id] as const))("%s", (_name, vendor) => {
  const sandboxHere = () => {
    const sandbox = sandboxes.get(vendor);
    if (!sandbox) throw new Error(`${vendor} has no sandbox.`);
    return sandbox;
  };
  /** An owner, and a number that the account sells. */
  async function connected() {
    const rep = await newRep(app);
    const { token } = rep;
    const { id: accountId } = await connectAccount(app, rep, { vendor, sandbox: sandboxHere() });
    const get = async (path: `/${string}`) => (await app.ask("GET", path, { token })).json();
    const [{ number }] = await get(`/v1/phone-numbers/available?countryCode=US&accountId=${accountId}`);
    const order = (key: string) =>
      app.ask("POST", "/v1/number-orders", {
        token,
        body: { accountId, number, countryCode: "US" },
        headers: { "idempotency-key": key },
      });
    const orders = (): Promise<NumberOrder[]> => get("/v1/number-orders");
    return { number, order, orders, owned: () => get("/v1/phone-numbers") };
  }

  test.each(["a killed process", "an admin who asks again"])(
    "an order that %s left open stays open while the key is refused, and is bought once",
    async (who) => {
      const { number, order, orders, owned } = await connected();
      const before = sandboxHere().counts();
      onBuy = async (buy) => {
        await buy();
        isKeyRevoked = true;
        throw new Error("killed");
      };
      const key = randomUUID();
      await order(key);
      onBuy = null;
      if (who === "an admin who asks again") await order(key);
      const sentence = expect.stringMatching(/doesn’t accept this key.* keeps trying, and won’t buy it twice\.$/);
      await vi.waitFor(async () => expect(await orders()).toMatchObject([{ number, state: "pending", sentence }]));
      isKeyRevoked = false;
      await vi.waitFor(async () => expect(await owned()).toMatchObject([{ number }]));
      expect(await orders()).toEqual([]);
      expect(sandboxHere().counts()).toMatchObject({ numbers: before.numbers + 1, charges: before.charges + 1 });
    },
  );

  test("a new order that the account's balance doesn't cover is refused at once", async () => {
    const { order, orders } = await connected();
    onBuy = async () => {
      throw new ProvisionerError("no-balance", "The account has no balance left.");
    };
    expect((await order(randomUUID())).json().type).toBe("/api/docs#carrier-refused");
    expect(await orders()).toEqual([]);
  });
});
