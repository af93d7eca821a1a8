import type { ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import { expect, test } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { buyNumber, connectAccount } from "../../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { newRep, testAppWithCalls } from "../../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
/** The types that a vendor was asked for. */
const asked: string[] = [];
/** They list as mobile what looks local by its digits. */
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  async open(key, options) {
    const provisioner = await module.open(key, options);
    return {
      ...provisioner,
      typeOf: async () => "mobile",
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

test.each(provisioners.map(({ module }) => [module.name, module.id] as const))(
  "%s: a number's requirements are read, and it is bought, by the type that its vendor lists",
  async (_name, vendor) => {
    const sandbox = sandboxes.get(vendor);
    if (!sandbox) throw new Error(`${vendor} has no sandbox.`);
    const rep = await newRep(app);
    const account = await connectAccount(app, rep, { vendor, sandbox });
    asked.length = 0;
    const number = await buyNumber(app, rep, account);
    const query = new URLSearchParams({ accountId: account.id, countryCode: "US", number });
    await app.ask("GET", `/v1/number-requirements?${query}`, { token: rep.token });
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect(new Set(asked)).toEqual(new Set(["mobile"]));
  },
);
