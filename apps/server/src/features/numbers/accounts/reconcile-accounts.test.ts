import { randomUUID } from "node:crypto";
import type { ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import type { NumberOrder } from "@leadline/contract/number-orders";
import type { PhoneNumber } from "@leadline/contract/phone-numbers";
import { sql } from "kysely";
import { afterEach, expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { atVendor, buyNumber, connectAccount } from "../../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { newRep, testAppWithCalls } from "../../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
/** While this is set, the account that is asked first stays silent. */
let silence: PromiseWithResolvers<void> | null = null;
let askedInSilence = 0;
/** While this is set, a vendor lists no numbers. */
let listsNothing = false;
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  async open(key, options) {
    const provisioner = await module.open(key, options);
    return {
      ...provisioner,
      async numbers() {
        if (silence && askedInSilence++ === 0) await silence.promise;
        return listsNothing ? [] : provisioner.numbers();
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
  [silence, askedInSilence, listsNothing] = [null, 0, false];
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

test.each(provisioners.map(({ module }) => [module.name, module.id] as const))(
  "%s: a number that a list misses stays here, until the vendor is asked for it and doesn't have it",
  async (name, vendor) => {
    const sandbox = sandboxes.get(vendor);
    if (!sandbox) throw new Error(`${name} has no sandbox.`);
    const rep = await newRep(app);
    const { token, organisationId } = rep;
    const account = await connectAccount(app, rep, { vendor, sandbox });
    const number = await buyNumber(app, rep, account);
    // A number that is new may be missing in any list.
    await app.database.withTransaction({ organisationId }, (tx) =>
      sql`update phone_numbers set state_since = state_since - interval '1 hour'`.execute(tx),
    );
    const compare = () => app.ask("POST", `/v1/carrier-accounts/${account.id}/check-numbers`, { token });
    const owned = async (): Promise<PhoneNumber[]> => (await app.ask("GET", "/v1/phone-numbers", { token })).json();
    listsNothing = true;
    expect((await compare()).json()).toEqual([]);
    expect(await owned()).toMatchObject([{ number }]);
    await atVendor({ vendor, sandbox }, (provisioner) => provisioner.release(number));
    await compare();
    expect(await owned()).toEqual([]);
    expect((await app.ask("GET", "/v1/number-orders", { token })).json()).toMatchObject([
      { number, sentence: `${number} was released at ${name}, not here.` },
    ]);
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
