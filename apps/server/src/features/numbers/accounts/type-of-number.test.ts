import type { NumberType, ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import { afterEach, describe, expect, test } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { buyNumber, connectAccount } from "../../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { newRep, testAppWithCalls } from "../../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
/** The types that a vendor was asked for. */
const asked: string[] = [];
/** Every number's type. Undefined: as the sandbox lists it. */
let listed: NumberType | null | undefined;
afterEach(() => {
  asked.length = 0;
  listed = undefined;
});
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  async open(key, options) {
    const provisioner = await module.open(key, options);
    return {
      ...provisioner,
      typeOf: async (...number) => (listed === undefined ? provisioner.typeOf(...number) : listed),
      requirements(country, type, number) {
        asked.push(type);
        return provisioner.requirements(country, type, number);
      },
      buy(intent) {
        asked.push(intent.type);
        return provisioner.buy(intent);
      },
    };
  },
}));
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, modules, publicAddress: async () => null }),
});

async function connected(vendor: string) {
  const sandbox = sandboxes.get(vendor);
  if (!sandbox) throw new Error(`${vendor} has no sandbox.`);
  const rep = await newRep(app);
  const { token } = rep;
  const account = await connectAccount(app, rep, { vendor, sandbox });
  const accountId = account.id;
  return {
    rep,
    account,
    sandbox,
    requirements: (wish: { countryCode: string; number: string }) =>
      app.ask("GET", `/v1/number-requirements?${new URLSearchParams({ accountId, ...wish })}`, { token }),
    order: (wish: { countryCode: string; number: string }) =>
      app.ask("POST", "/v1/number-orders", { token, body: { accountId, ...wish } }),
    async firstOffered(countryCode: string, query: string): Promise<string> {
      const search = new URLSearchParams({ accountId, countryCode, query });
      const [found] = (await app.ask("GET", `/v1/phone-numbers/available?${search}`, { token })).json();
      return found.number;
    },
  };
}

describe.each(provisioners.map(({ module }) => [module.name, module.id] as const))("%s", (name, vendor) => {
  test("a number's requirements are read, and it is bought, by the type that its vendor lists", async () => {
    const { rep, account, requirements } = await connected(vendor);
    // It looks local by its digits.
    listed = "mobile";
    const number = await buyNumber(app, rep, account);
    await requirements({ countryCode: "US", number });
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect(new Set(asked)).toEqual(new Set(["mobile"]));
  });

  test("a number whose type its vendor doesn't say isn't ordered", async () => {
    const { requirements, order, firstOffered, sandbox } = await connected(vendor);
    const wish = { countryCode: "US", number: await firstOffered("US", "") };
    const before = sandbox.counts();
    listed = null;
    const refusal = {
      type: "/api/docs#carrier-refused",
      detail: expect.stringContaining(`${name} doesn’t say which type of number ${wish.number} is`),
    };
    expect((await requirements(wish)).json()).toMatchObject(refusal);
    expect((await order(wish)).json()).toMatchObject(refusal);
    expect(asked).toEqual([]);
    expect(sandbox.counts()).toEqual(before);
  });
});

test("a national number isn't ordered by the rules for local ones", async () => {
  const { requirements, order, firstOffered, sandbox } = await connected(provisioners.at(-1)?.module.id ?? "");
  const wish = { countryCode: "GB", number: await firstOffered("GB", "306") };
  const before = sandbox.counts();
  const [asks] = (await requirements(wish)).json();
  expect(asks).toMatchObject({ met: false, sentence: expect.stringContaining("Proof of establishment") });
  expect((await order(wish)).json()).toMatchObject({
    type: "/api/docs#carrier-refused",
    detail: `${asks.sentence} Nothing was bought.`,
  });
  expect(sandbox.counts()).toEqual(before);
});
