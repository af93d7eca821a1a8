import type { ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import type { CarrierAccount } from "@leadline/contract/carrier-accounts";
import { expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../adapters.ts";
import { connectAccount } from "../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../testing/own-vendor-sandboxes.ts";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
const before = "127.0.0.1";
let address: string | null = before;
/** The vendors themselves, which are at their sandboxes: those would call this machine, whatever its address. */
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  open: (key) => module.open(key, { sandbox: sandboxes.get(module.id) ?? null }),
}));
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes: new Map(), modules, publicAddress: async () => address }),
});

test.each(provisioners.map(({ module }) => [module.name, module.id] as const))(
  "%s: after the server has moved, an account whose vendor calls the former address says so until it is connected again",
  async (_name, vendor) => {
    const sandbox = sandboxes.get(vendor);
    if (!sandbox) throw new Error(`${vendor} has no sandbox.`);
    const rep = await newRep(app);
    const { token } = rep;
    const read = async (): Promise<CarrierAccount> => {
      const [account] = (await app.ask("GET", "/v1/carrier-accounts", { token })).json();
      if (account.state === "connecting") throw new Error("It is being connected.");
      return account;
    };
    address = before;
    const { id, isSandbox, steps } = await connectAccount(app, rep, { vendor, sandbox });
    expect(isSandbox).toBe(false);
    const isCalled = steps.at(-1)?.sentence?.includes(before) === true;
    expect((await read()).addressChange).toBeNull();
    // Unknown for the moment, such as while the name server doesn't respond.
    address = null;
    expect((await read()).addressChange).toBeNull();

    address = "127.0.0.2";
    expect((await read()).addressChange).toEqual(isCalled ? { from: before, to: address } : null);
    await app.ask("POST", `/v1/carrier-accounts/${id}/connect`, { token, body: {} });
    const again = await vi.waitFor(read, { interval: 50 });
    expect(again).toMatchObject({ state: "connected", addressChange: null });
    expect(again.steps.at(-1)?.sentence?.includes(address)).toBe(isCalled);
    await app.ask("DELETE", `/v1/carrier-accounts/${id}`, { token });
  },
);
