import type { ProvisionerModule, WantedTrunk } from "@leadline/adapter-kit/provisioner";
import { expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../adapters.ts";
import { connectAccount } from "../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../testing/own-vendor-sandboxes.ts";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
/** What vendors were told, the newest last. */
const told: WantedTrunk["callLimits"][] = [];
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  async open(key, options) {
    const provisioner = await module.open(key, options);
    return {
      ...provisioner,
      async ensureTrunk(wanted, onStep) {
        const trunk = await provisioner.ensureTrunk(wanted, onStep);
        told.push(wanted.callLimits);
        return trunk;
      },
    };
  },
}));
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, modules, publicAddress: async () => null, followEveryMs: 250 }),
});

test("a connected account's vendor is told changed limits, once", async () => {
  const [vendor, sandbox] = [...sandboxes].at(-1) ?? [];
  if (vendor === undefined || sandbox === undefined) throw new Error("There is no sandbox.");
  const rep = await newRep(app);
  const { token } = rep;
  await connectAccount(app, rep, { vendor, sandbox });
  expect(told).toMatchObject([{ simultaneousCalls: 10 }]);
  expect((await app.ask("PUT", "/v1/limits", { token, body: { concurrentCalls: 3 } })).statusCode).toBe(200);
  await vi.waitFor(
    async () => {
      expect(told.at(-1)).toMatchObject({ simultaneousCalls: 3 });
      expect((await app.ask("GET", "/v1/carrier-accounts", { token })).json()).toMatchObject([{ state: "connected" }]);
    },
    { timeout: 30_000, interval: 100 },
  );
  // Several times that they are compared.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(told).toHaveLength(2);
});
