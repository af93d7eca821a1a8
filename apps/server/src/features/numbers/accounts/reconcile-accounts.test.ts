import { randomUUID } from "node:crypto";
import type { VendorSandbox } from "@leadline/carrier-sandbox/vendor/vendor-sandbox";
import type { NumberOrder } from "@leadline/contract/number-orders";
import type { PhoneNumber } from "@leadline/contract/phone-numbers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { migrate } from "../../../db/migrate.ts";
import { startVendorSandboxes } from "../../../start/start-vendor-sandboxes.ts";
import { atVendor, connectAccount } from "../../../testing/connect-account.ts";
import { ownDatabase } from "../../../testing/own-database.ts";
import { newRep, testAppWithCalls } from "../../../testing/test-calls.ts";

// Another suite's app would compare these accounts with its own key.
const database = await ownDatabase();
await migrate(database.url);
// Registered before the app’s own, so it runs after the app has closed.
afterAll(() => database.drop());
let sandboxes: ReadonlyMap<string, VendorSandbox> = new Map();
beforeAll(async () => {
  sandboxes = await startVendorSandboxes(null);
});
afterAll(async () => {
  for (const sandbox of sandboxes.values()) await sandbox.close();
});
const app = testAppWithCalls(carrierModules, {
  databaseUrl: database.url,
  accounts: () => ({ sandboxes, publicAddress: async () => null, reconcileEveryMs: 100 }),
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
