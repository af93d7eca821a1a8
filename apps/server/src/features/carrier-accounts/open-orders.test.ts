import { randomUUID } from "node:crypto";
import { type Provisioner, ProvisionerError, type ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import { listAuditEntries } from "@leadline/contract/audit-log";
import { afterEach, expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../adapters.ts";
import { atVendor, connectAccount } from "../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../testing/own-vendor-sandboxes.ts";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
let changed: ((provisioner: Provisioner) => Partial<Provisioner>) | null = null;
afterEach(() => void (changed = null));
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  async open(key, options) {
    const provisioner = await module.open(key, options);
    return { ...provisioner, ...changed?.(provisioner) };
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
  const { id: accountId } = account;
  const get = async (path: `/${string}`) => (await app.ask("GET", path, { token })).json();
  let offered = { number: "", monthlyCost: 0, upfrontCost: 0 };
  return {
    sandbox,
    get,
    /** As it was when it was ordered. */
    offered: () => offered,
    counted: async () => (await get("/v1/billing/entries?kind=number")).entries,
    async order(countryCode = "US", onOffered = () => {}) {
      [offered] = await get(`/v1/phone-numbers/available?countryCode=${countryCode}&accountId=${accountId}`);
      const { number } = offered;
      onOffered();
      const headers = { "idempotency-key": randomUUID() };
      const body = { accountId, number, countryCode };
      return (await app.ask("POST", "/v1/number-orders", { token, body, headers })).json();
    },
    release: async (id: string) => app.ask("DELETE", `/v1/phone-numbers/${id}`, { token }),
    disconnect: async (query = "") => app.ask("DELETE", `/v1/carrier-accounts/${accountId}${query}`, { token }),
    /** The newest mail to the owner, once it has this subject. */
    mailed: (subject: string) =>
      vi.waitFor(
        async () => {
          const { text } = await app.mailTo(rep.email);
          expect(text).toContain(`Subject: ${subject}`);
          return text;
        },
        { timeout: 20_000 },
      ),
    held: () => atVendor({ vendor, sandbox }, async (provisioner) => (await provisioner.numbers()).map(toNumber)),
    /** What the audit log says about the number since the account was disconnected. */
    audited: async (number: string): Promise<string[]> => {
      const { entries } = listAuditEntries.success[1].parse(await get("/v1/audit-log"));
      return entries
        .filter(({ action }) => action === "carrier-account.disconnected")
        .flatMap(({ changes }) => changes.filter(({ subject }) => subject === number))
        .map(({ operation, after }) => `${operation} ${after?.["state"] ?? ""}`.trim());
    },
  };
}
const toNumber = ({ number }: { number: string }): string => number;

test("disconnecting cancels an order that the vendor hasn't delivered, and mails the owners", async () => {
  const vendor = provisioners.at(-1)?.module.id ?? "";
  const { order, disconnect, get, sandbox, audited, mailed } = await connected(vendor);
  // Ordered without what the country requires, so it waits for that.
  changed = () => ({ requirements: async () => [] });
  const { id: reference, number, state } = await order("FR");
  expect(state).toBe("pending");
  expect((await disconnect()).statusCode).toBe(204);
  expect(await get("/v1/number-orders")).toEqual([]);
  expect(await audited(number)).toEqual(["deleted"]);
  expect(await mailed(`The order of ${number} was cancelled`)).toContain("so the order was cancelled");
  await atVendor({ vendor, sandbox }, async (provisioner) => {
    const again = provisioner.buy({ number, reference, countryCode: "FR", type: "local", trunk: "" });
    await expect(again).rejects.toMatchObject({ fault: "number-gone" });
  });
});

test.each(provisioners.map(({ module }) => [module.name, module.id] as const))(
  "%s: a number that was delivered before its account was disconnected stays there, and is named in the audit log and a mail to the owners",
  async (name, vendor) => {
    const { order, disconnect, held, audited, mailed, offered, counted } = await connected(vendor);
    changed = (provisioner) => ({
      async buy(intent) {
        while ((await provisioner.buy(intent)).state === "pending");
        return { state: "pending", sentence: "The vendor is working on the order." };
      },
    });
    const { number } = await order();
    expect((await disconnect()).statusCode).toBe(204);
    expect(await held()).toContain(number);
    expect(await audited(number)).toContain("changed owned");
    const { monthlyCost, upfrontCost = 0 } = offered();
    expect(await counted()).toMatchObject([{ phoneNumber: number, amountMicros: -(monthlyCost + upfrontCost) }]);
    expect(await mailed(`${number} stays in your ${name} account`)).toContain(`release it at ${name}`);
  },
);

test("an account stays connected while its vendor works on an order, which is named and still followed", async () => {
  const { order, disconnect, get } = await connected(provisioners[0]?.module.id ?? "");
  const pending = { state: "pending", sentence: "The vendor is working on the order." } as const;
  changed = () => ({ buy: async () => pending, cancel: async () => "pending" });
  const { number } = await order();
  const refused = (await disconnect()).json();
  expect(refused).toMatchObject({ type: "/api/docs#carrier-refused", detail: expect.stringContaining(number) });
  expect(await get("/v1/carrier-accounts")).toMatchObject([{ state: "failed", failure: expect.any(String) }]);
  expect(await get("/v1/number-orders")).toMatchObject([{ number, state: "pending" }]);
  expect((await disconnect("?leave=everything")).statusCode).toBe(204);
});

test("a release that its vendor hasn't confirmed is finished before the account is disconnected", async () => {
  const { order, release, disconnect, get, held } = await connected(provisioners[0]?.module.id ?? "");
  const { number } = await order();
  const [{ id }] = await get("/v1/phone-numbers");
  changed = () => ({
    release: () => Promise.reject(new ProvisionerError("unreachable", "The vendor isn’t responding.")),
  });
  expect((await release(id)).statusCode).not.toBe(204);
  expect((await disconnect()).statusCode).not.toBe(204);
  expect(await held()).toContain(number);
  changed = null;
  expect((await disconnect()).statusCode).toBe(204);
  expect(await held()).not.toContain(number);
});

test("leaving everything at the vendor mails the owners the release and the order that end with it", async () => {
  const [{ module } = { module: { id: "", name: "" } }] = provisioners;
  const { order, release, disconnect, get, held, mailed } = await connected(module.id);
  const { number: released } = await order();
  const [{ id }] = await get("/v1/phone-numbers");
  changed = () => ({
    release: () => Promise.reject(new ProvisionerError("unreachable", "The vendor isn’t responding.")),
    buy: async () => ({ state: "pending", sentence: "The vendor is working on the order." }),
  });
  expect((await release(id)).statusCode).not.toBe(204);
  const { number: ordered } = await order();
  const open = await get("/v1/number-orders");
  expect(open).toMatchObject([
    { number: ordered, state: "pending" },
    { number: released, state: "releasing", sentence: expect.stringContaining("keeps trying") },
  ]);
  expect((await disconnect("?leave=everything")).statusCode).toBe(204);
  expect(await get("/v1/number-orders")).toEqual([]);
  expect(await held()).toContain(released);
  const mail = (await mailed(`Numbers left in your ${module.name} account`)).replaceAll(/\s+/g, " ");
  expect(mail).toContain(`the release of ${released} when`);
  expect(mail).toContain(`the order of ${ordered}, which Leadline no longer follows`);
});

test("an order isn't pending once its account was disconnected while the vendor was asked", async () => {
  const { order, disconnect, get } = await connected(provisioners[0]?.module.id ?? "");
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  changed = (provisioner) => ({
    async buy(intent) {
      asked.resolve();
      await goOn.promise;
      return provisioner.buy(intent);
    },
  });
  const ordering = order();
  await asked.promise;
  expect((await disconnect("?leave=everything")).statusCode).toBe(204);
  goOn.resolve();
  expect(await ordering).toMatchObject({
    type: "/api/docs#carrier-refused",
    detail: expect.stringContaining("The account was disconnected while"),
  });
  expect(await get("/v1/number-orders")).toEqual([]);
});

/** Disconnecting reaches the vendor, and waits there until it is told how that ends. */
function holdUp(ofProvisioner: (provisioner: Provisioner) => Partial<Provisioner> = () => ({})) {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  changed = (provisioner) => ({
    ...ofProvisioner(provisioner),
    async removeTrunk(name) {
      begun.resolve();
      await end.promise;
      return provisioner.removeTrunk(name);
    },
  });
  return { begun: begun.promise, succeed: () => end.resolve(), fail: (error: Error) => end.reject(error) };
}

test("a number isn't released while its account is being disconnected, and its admin is told where to do it", async () => {
  const { order, release, disconnect, get, held } = await connected(provisioners[0]?.module.id ?? "");
  const { number } = await order();
  const [{ id }] = await get("/v1/phone-numbers");
  const { begun, succeed } = holdUp();
  const disconnecting = disconnect();
  await begun;
  expect((await release(id)).json()).toMatchObject({
    type: "/api/docs#carrier-refused",
    detail: expect.stringContaining(`release it at ${provisioners[0]?.module.name}.`),
  });
  expect(await get("/v1/phone-numbers")).toMatchObject([{ number }]);
  succeed();
  expect((await disconnecting).statusCode).toBe(204);
  changed = null;
  expect(await held()).toContain(number);
});

test("a number that is ordered while its account is being disconnected isn't bought, also if that fails", async () => {
  const { order, disconnect, get, sandbox } = await connected(provisioners[0]?.module.id ?? "");
  const before = sandbox.counts();
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isOffered = false;
  const { begun, fail } = holdUp((provisioner) => ({
    async searchNumbers(wanted) {
      if (isOffered) asked.resolve();
      if (isOffered) await goOn.promise;
      return provisioner.searchNumbers(wanted);
    },
  }));
  const ordering = order("US", () => void (isOffered = true));
  await asked.promise;
  const disconnecting = disconnect();
  await begun;
  goOn.resolve();
  expect(await ordering).toMatchObject({ type: "/api/docs#not-found" });
  expect(await get("/v1/number-orders")).toEqual([]);
  fail(new ProvisionerError("unreachable", "The vendor isn’t responding."));
  expect((await disconnecting).statusCode).not.toBe(204);
  expect(sandbox.counts()).toEqual(before);
});
