import { randomUUID } from "node:crypto";
import type { ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import type { NumberOrder } from "@leadline/contract/number-orders";
import type { PhoneNumber } from "@leadline/contract/phone-numbers";
import { afterEach, expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { atVendor, connectAccount } from "../../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { newRep, testAppWithCalls } from "../../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
/** While this is set, the account that is asked first stays silent. */
let silence: PromiseWithResolvers<void> | null = null;
let askedInSilence = 0;
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  async open(key, options) {
    const provisioner = await module.open(key, options);
    return {
      ...provisioner,
      async numbers() {
        if (silence && askedInSilence++ === 0) await silence.promise;
        return provisioner.numbers();
      },
    };
  },
}));
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, modules, publicAddress: async () => null, reconcileEveryMs: 100 }),
});

afterEach(() => {
  silence?.resolve();
  [silence, askedInSilence] = [null, 0];
});

test.each(provisioners.map(({ module }, index) => [module.name, module.id, index] as const))(
  "%s: a number bought at the vendor appears here without anyone asking, with a note",
  async (name, vendor, index) => {
    const sandbox = sandboxes.get(vendor);
    if (!sandbox) throw new Error(`${name} has no sandbox.`);
    const rep = await newRep(app);
    const { trunk, id } = await connectAccount(app, rep, { vendor, sandbox });
    const number = await atVendor({ vendor, sandbox }, async (provisioner) => {
      const offered = await provisioner.searchNumbers({ countryCode: "US", query: null, limit: 10 });
      // The sandboxes have the same stock, and a number is one organisation's only.
      const bought = offered[index]?.number ?? "";
      const intent = { number: bought, countryCode: "US", type: "local", trunk, reference: randomUUID() } as const;
      await vi.waitFor(async () => expect((await provisioner.buy(intent)).state).toBe("bought"));
      return bought;
    });
    const owned = async (): Promise<PhoneNumber[]> =>
      (await app.ask("GET", "/v1/phone-numbers", { token: rep.token })).json();
    await vi.waitFor(async () => expect(await owned()).toMatchObject([{ number, accountId: id }]));
    const orders: NumberOrder[] = (await app.ask("GET", "/v1/number-orders", { token: rep.token })).json();
    const sentence = `${number} was bought at ${name}, not here. It rings here now.`;
    expect(orders).toMatchObject([{ number, state: "changed-elsewhere", sentence }]);
  },
);

test("an account whose vendor is silent doesn't delay the others", async () => {
  const [vendor = ""] = sandboxes.keys();
  const sandbox = sandboxes.get(vendor);
  if (!sandbox) throw new Error("No vendor is listed.");
  for (const rep of [await newRep(app), await newRep(app)]) await connectAccount(app, rep, { vendor, sandbox });
  silence = Promise.withResolvers();
  await vi.waitFor(() => expect(askedInSilence).toBeGreaterThan(1), { timeout: 10_000 });
});
