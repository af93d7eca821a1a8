import { randomUUID } from "node:crypto";
import type { UnusedNumber } from "@leadline/contract/number-orders";
import type { PhoneNumber } from "@leadline/contract/phone-numbers";
import type { VendorSandbox } from "@leadline/carrier-sandbox/vendor/vendor-sandbox";
import { expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { atVendor, connectAccount } from "../../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { newRep, type Rep, testAppWithCalls } from "../../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  maxNumbers: 2,
  accounts: () => ({ sandboxes, publicAddress: async () => null }),
});

/** Numbers that somebody bought at the vendor, before Leadline knew the account. They ring at no trunk. */
const ownedBefore = (there: { vendor: string; sandbox: VendorSandbox }, { count }: { count: number }) =>
  atVendor(there, async (provisioner) => {
    const trunk = `leadline-${randomUUID().slice(0, 8)}`;
    const callLimits = { countries: ["US"], dailySpendMicros: 1_000_000, simultaneousCalls: 1 };
    const user = `user${trunk.slice(-8)}`;
    const wanted = { name: trunk, user, password: `Aa1${"x".repeat(20)}`, calledAt: null, callLimits };
    await provisioner.ensureTrunk(wanted, async () => {});
    const offered = await provisioner.searchNumbers({ countryCode: "US", query: null, limit: 40 });
    // The sandboxes have the same stock, and a number is one organisation's only.
    const from = 10 * provisioners.findIndex(({ module }) => module.id === there.vendor);
    const numbers = offered.slice(from, from + count).map(({ number }) => number);
    for (const number of numbers) {
      const intent = { number, countryCode: "US", type: "local", trunk, reference: randomUUID() } as const;
      await vi.waitFor(async () => expect((await provisioner.buy(intent)).state).toBe("bought"));
    }
    await provisioner.removeTrunk(trunk);
    return numbers;
  });

test.each(provisioners.map(({ module }) => [module.name, module.id] as const))(
  "%s: an account that is connected shows its own numbers, and adopts them once, in use elsewhere only if asked",
  async (name, vendor) => {
    const sandbox = sandboxes.get(vendor);
    if (!sandbox) throw new Error(`${name} has no sandbox.`);
    const [free = "", used = "", third = ""] = await ownedBefore({ vendor, sandbox }, { count: 3 });
    await sandbox.useElsewhere(used);
    const rep = await newRep(app);
    const { id, trunk } = await connectAccount(app, rep, { vendor, sandbox });
    const get = async (path: `/${string}`, { token }: Rep = rep) => (await app.ask("GET", path, { token })).json();
    const unused = async (): Promise<UnusedNumber[]> =>
      (await app.ask("GET", `/v1/carrier-accounts/${id}/numbers`, { token: rep.token })).json();
    const owned = async (): Promise<string[]> =>
      (await get("/v1/phone-numbers")).map(({ number }: PhoneNumber) => number);
    const adopt = async (body: object) =>
      (await app.ask("POST", `/v1/carrier-accounts/${id}/numbers`, { token: rep.token, body })).json();
    const use = expect.stringMatching(/^Calls to it .*\.$/);
    expect(await unused()).toEqual(
      expect.arrayContaining([
        { number: free, use: null },
        { number: used, use },
        { number: third, use: null },
      ]),
    );
    expect(JSON.stringify(await unused())).not.toContain("secret");

    // A process was killed after the vendor had attached it.
    await atVendor({ vendor, sandbox }, (provisioner) => provisioner.attach(free, trunk, { moves: false }));
    expect(await unused()).toContainEqual({ number: free, use: null });
    for (let again = 0; again < 2; again++) {
      expect(await adopt({ number: free })).toMatchObject({ number: free, state: "bought" });
      expect(await owned()).toEqual([free]);
    }
    expect(await adopt({ number: used })).toMatchObject({
      type: "/api/docs#carrier-refused",
      detail: expect.stringMatching(/in use at .* Calls to it .*\.$/),
    });
    expect(await owned()).toEqual([free]);
    expect(await adopt({ number: used, moves: true })).toMatchObject({ state: "bought" });
    expect((await owned()).toSorted()).toEqual([free, used].toSorted());
    expect(await adopt({ number: free })).toMatchObject({ state: "bought" });
    expect((await unused()).map(({ number }) => number)).toEqual([third]);

    // Billing lists them all the same, and says that their fees aren't counted.
    const { numbers } = await get("/v1/billing/statement");
    const unpriced = [free, used].map((number) => ({ number, monthlyCostMicros: null }));
    expect(numbers).toMatchObject(unpriced);

    const other = await newRep(app);
    const { id: others } = await connectAccount(app, other, { vendor, sandbox });
    expect(await get(`/v1/carrier-accounts/${others}/numbers`, other)).toEqual([{ number: third, use: null }]);
  },
);
