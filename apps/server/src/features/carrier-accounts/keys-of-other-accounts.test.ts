import { ProvisionerError, type ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import type { VendorSandbox } from "@leadline/carrier-sandbox/vendor/vendor-sandbox";
import type { CarrierAccount } from "@leadline/contract/carrier-accounts";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../adapters.ts";
import { atVendor, connectAccount } from "../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../testing/own-vendor-sandboxes.ts";
import { newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
/** Another account of each vendor. */
const others = new Map<string, VendorSandbox>();
beforeAll(async () => {
  for (const { module, startSandbox } of provisioners) others.set(module.id, await startSandbox({ file: null }));
});
afterAll(async () => {
  for (const other of others.values()) await other.close();
});

/** How keys end: a second one of the same account, one of another, one that is revoked, and one that only reads. */
const [second, foreign, revoked, reading] = ["0001", "0002", "0003", "0004"];
const ending = (key: Record<string, unknown>, end: string): Record<string, string> =>
  Object.fromEntries(Object.entries(key).map(([name, value]) => [name, String(value).replace(/.{4}$/, end)]));
const endOf = (key: Record<string, unknown>): string => String(Object.values(key).at(-1)).slice(-4);
let [isRevoked, isReached, failsHere] = [false, true, false];
afterEach(() => void ([isRevoked, isReached, failsHere] = [false, true, false]));
const onlyReads = async (): Promise<never> => {
  throw new ProvisionerError("not-permitted", "This key may only read the balance.");
};

const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  async open(key) {
    const end = endOf(key);
    const sandbox = (end === foreign ? others : sandboxes).get(module.id);
    if (!sandbox) throw new Error(`${module.id} has no sandbox.`);
    const isKnown = end === second || end === foreign || end === reading || !isRevoked;
    const there = isReached ? sandbox : { ...sandbox, address: new URL("http://127.0.0.1:9") };
    const accepted = isKnown ? sandbox.key : ending(sandbox.key, revoked ?? "");
    const provisioner = await module.open(module.settings.parse(accepted), { sandbox: there });
    return {
      ...provisioner,
      async account() {
        const account = await provisioner.account();
        return { ...account, id: account.id && (end === foreign ? `${account.id}, another` : account.id) };
      },
      async ensureTrunk(wanted, onStep) {
        const made = await provisioner.ensureTrunk(wanted, onStep);
        if (failsHere) throw new Error("the port is taken");
        return made;
      },
      ...(end === reading && { ensureTrunk: onlyReads, hasTrunk: onlyReads }),
    };
  },
}));
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, modules, publicAddress: async () => null }),
});

describe.each(provisioners.map(({ module }) => [module.name, module.id] as const))("%s", (_name, vendor) => {
  const there = () => {
    const sandbox = sandboxes.get(vendor);
    if (!sandbox) throw new Error(`${vendor} has no sandbox.`);
    return { vendor, sandbox };
  };
  const settled = (rep: Rep, id: string): Promise<CarrierAccount> =>
    vi.waitFor(
      async () => {
        const all: CarrierAccount[] = (await app.ask("GET", "/v1/carrier-accounts", { token: rep.token })).json();
        const account = all.find((each) => each.id === id);
        if (!account || account.state === "connecting") throw new Error("It is being connected.");
        return account;
      },
      { interval: 50 },
    );
  const connectAgain = async (rep: Rep, id: string, end?: string): Promise<CarrierAccount> => {
    const body = end === undefined ? {} : { key: ending(there().sandbox.key, end) };
    await app.ask("POST", `/v1/carrier-accounts/${id}/connect`, { token: rep.token, body });
    return settled(rep, id);
  };
  const connectWith = async (rep: Rep, key: Record<string, string>): Promise<CarrierAccount> => {
    const body = { vendor, label: "Calls", key };
    return settled(rep, (await app.ask("POST", "/v1/carrier-accounts", { token: rep.token, body })).json().id);
  };
  const disconnect = (rep: Rep, id: string) => app.ask("DELETE", `/v1/carrier-accounts/${id}`, { token: rep.token });

  test("a key of another account is refused, and the trunk stays connected by the key before", async () => {
    const rep = await newRep(app);
    const before = there().sandbox.counts();
    const { id, trunk } = await connectAccount(app, rep, there());
    const failed = await connectAgain(rep, id, foreign);
    expect(failed).toMatchObject({
      state: "failed",
      failure: `This key is of another account, which has no ${trunk}. Disconnect “Calls” first, then connect the other account.`,
      isUsed: true,
    });
    expect(others.get(vendor)?.counts()).toMatchObject({ trunks: 0, credentialLists: 0 });
    expect(await connectAgain(rep, id)).toMatchObject({ state: "connected", failure: null });
    expect(await connectAgain(rep, id, second)).toMatchObject({ state: "connected", failure: null });
    expect((await disconnect(rep, id)).statusCode).toBe(204);
    expect(there().sandbox.counts()).toEqual(before);
  });

  test("a vendor's account is connected once in an organisation, if the vendor names it", async () => {
    const rep = await newRep(app);
    const { id: vendorAccountId } = await atVendor(there(), (provisioner) => provisioner.account());
    const { id } = await connectAccount(app, rep, there());
    const again = await connectWith(rep, there().sandbox.key);
    const isRefused = /is connected already, as “Calls”\. .*first\.$/.test(again.failure ?? "");
    expect([again.state, isRefused]).toEqual(vendorAccountId === null ? ["connected", false] : ["failed", true]);
    // Another organisation may use it, too.
    await connectAccount(app, await newRep(app), there());
    expect((await disconnect(rep, again.id)).statusCode).toBe(204);
    expect(await connectAgain(rep, id)).toMatchObject({ state: "connected" });
  });

  test("an account is disconnected by a second key of its own, and not by one of another account", async () => {
    const rep = await newRep(app);
    const before = there().sandbox.counts();
    const { id } = await connectAccount(app, rep, there());
    const disconnectAfter = async (end: string | undefined) => {
      // The vendor couldn't say whose key it is.
      isReached = false;
      const { state } = await connectAgain(rep, id, end);
      [isReached, isRevoked] = [true, true];
      return [state, await disconnect(rep, id)] as const;
    };
    const [state, refused] = await disconnectAfter(foreign);
    expect([state, refused.json().detail]).toEqual([
      "failed",
      expect.stringMatching(/doesn’t accept this key.* The account is still connected here\.$/),
    ]);
    const [, done] = await disconnectAfter(second);
    expect(done.statusCode).toBe(204);
    expect(there().sandbox.counts()).toEqual(before);
  });

  test.each([
    ["the same account", second],
    ["another account", foreign],
  ])("a key that may make nothing is replaced by a key of %s at once", async (_which, end) => {
    const rep = await newRep(app);
    const holds = () => [there().sandbox.counts(), others.get(vendor)?.counts()];
    const before = holds();
    const { id, ...failed } = await connectWith(rep, ending(there().sandbox.key, reading ?? ""));
    expect(failed).toMatchObject({ state: "failed", failure: "This key may only read the balance." });
    expect(failed.steps).toContainEqual({ step: "account", done: true, sentence: expect.any(String) });
    expect(await connectAgain(rep, id, end)).toMatchObject({ state: "connected", failure: null });
    expect((await disconnect(rep, id)).statusCode).toBe(204);
    expect(holds()).toEqual(before);
  });

  test("what the first key made isn't stranded by a key of another account, whatever failed in between", async () => {
    const rep = await newRep(app);
    const before = there().sandbox.counts();
    failsHere = true;
    const { id, state } = await connectWith(rep, there().sandbox.key);
    expect(state).toBe("failed");
    expect(there().sandbox.counts().trunks).toBe(before.trunks + 1);
    failsHere = false;
    isReached = false;
    expect((await connectAgain(rep, id)).steps.filter(({ done }) => done)).toEqual([]);
    isReached = true;
    for (let tries = 2; tries > 0; tries--)
      expect((await connectAgain(rep, id, foreign)).failure).toMatch(/^This key is of another account/);
    expect(others.get(vendor)?.counts()).toMatchObject({ trunks: 0, credentialLists: 0 });
    expect((await disconnect(rep, id)).statusCode).toBe(204);
    expect(there().sandbox.counts()).toEqual(before);
  });
});
