import type { ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import type { CarrierAccount } from "@leadline/contract/carrier-accounts";
import { describe, expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../adapters.ts";
import { connectAccount } from "../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../testing/own-vendor-sandboxes.ts";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";
import { findFreePort } from "./find-free-port.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
const before = "127.0.0.1";
/** Undefined: it can't be looked up. */
let address: string | null | undefined = before;
async function publicAddress(): Promise<string | null> {
  if (address === undefined) throw new Error("The name server doesn't respond.");
  return address;
}
/** The vendors themselves, which are at their sandboxes: those would call this machine, whatever its address. */
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  open: (key) => module.open(key, { sandbox: sandboxes.get(module.id) ?? null }),
}));
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes: new Map(), modules, publicAddress }),
});

describe.each(provisioners.map(({ module }) => [module.name, module.id] as const))("%s", (_name, vendor) => {
  async function connected() {
    const sandbox = sandboxes.get(vendor);
    if (!sandbox) throw new Error(`${vendor} has no sandbox.`);
    address = before;
    const rep = await newRep(app);
    const { token } = rep;
    const account = await connectAccount(app, rep, { vendor, sandbox });
    const { id } = account;
    const read = async (): Promise<CarrierAccount> => {
      const [now] = (await app.ask("GET", "/v1/carrier-accounts", { token })).json();
      if (now.state === "connecting") throw new Error("It is being connected.");
      return now;
    };
    return {
      account,
      sandbox,
      token,
      read,
      isCalled: account.steps.at(-1)?.sentence?.includes(before) === true,
      async connectAgain(): Promise<CarrierAccount> {
        await app.ask("POST", `/v1/carrier-accounts/${id}/connect`, { token, body: {} });
        return vi.waitFor(read, { interval: 50 });
      },
      disconnect: () => app.ask("DELETE", `/v1/carrier-accounts/${id}`, { token }),
    };
  }

  test("after the server has moved, an account whose vendor calls the former address says so until it is connected again", async () => {
    const { account, read, isCalled, connectAgain, disconnect } = await connected();
    expect(account.isSandbox).toBe(false);
    expect((await read()).addressChange).toBeNull();
    address = undefined;
    expect((await read()).addressChange).toBeNull();
    expect((await connectAgain()).steps.at(-1)?.sentence?.includes(before)).toBe(isCalled);

    address = "127.0.0.2";
    expect((await read()).addressChange).toEqual(isCalled ? { from: before, to: address } : null);
    const again = await connectAgain();
    expect(again).toMatchObject({ state: "connected", addressChange: null });
    expect(again.steps.at(-1)?.sentence?.includes(address)).toBe(isCalled);
    await disconnect();
  });

  test("after the server has lost its address, the account says so, and its vendor calls none once it is connected again", async () => {
    const { sandbox, read, isCalled, connectAgain, disconnect } = await connected();
    address = null;
    expect((await read()).addressChange).toEqual(isCalled ? { from: before, to: null } : null);
    expect(await connectAgain()).toMatchObject({ state: "connected", addressChange: null });
    expect(sandbox.counts().originationUrls).toBe(0);
    await disconnect();
  });

  test("after its trunk's port was changed here, the account says so, and its vendor calls that port once it is connected again", async () => {
    const { account, token, read, isCalled, connectAgain, disconnect } = await connected();
    const readSettings = async (): Promise<{ localPort: number }> =>
      (await app.ask("GET", "/v1/carriers", { token })).json()[0].settings;
    const settings = await readSettings();
    const { localPort: former } = settings;
    const change = async (localPort: number) => {
      const body = { settings: { ...settings, localPort } };
      expect((await app.ask("PUT", `/v1/carriers/${account.carrierId}`, { token, body })).statusCode).toBe(200);
    };
    await change(0);
    expect((await read()).addressChange).toEqual(isCalled ? { from: `${before}:${former}`, to: null } : null);
    const port = (await findFreePort([former])) ?? 0;
    await change(port);
    const moved = { from: `${before}:${former}`, to: `${before}:${port}` };
    expect((await read()).addressChange).toEqual(isCalled ? moved : null);
    const again = await connectAgain();
    expect(again).toMatchObject({ state: "connected", addressChange: null });
    expect(again.steps.at(-1)?.sentence?.includes(`${before}:${port}`)).toBe(isCalled);
    expect((await readSettings()).localPort).toBe(port);
    await disconnect();
  });
});
