import { randomUUID } from "node:crypto";
import type { ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import { expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { atVendor, connectAccount } from "../../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { newRep, type Rep, testAppWithCalls } from "../../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
const [real, made] = provisioners.map(({ module }) => module.id);
if (real === undefined || made === undefined) throw new Error("Two vendors are needed.");
/** The first vendor itself, which is at its sandbox, and the other one's sandbox. Both have the same stock. */
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  open: (key, { sandbox }) => module.open(key, { sandbox: sandbox ?? sandboxes.get(module.id) ?? null }),
}));
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({
    sandboxes: new Map([...sandboxes].filter(([vendor]) => vendor === made)),
    modules,
    publicAddress: async () => null,
  }),
});

const there = (vendor: string) => {
  const sandbox = sandboxes.get(vendor);
  if (!sandbox) throw new Error(`${vendor} has no sandbox.`);
  return { vendor, sandbox };
};
const askAs = ({ token }: Rep) => ({
  get: async (path: `/${string}`) => (await app.ask("GET", path, { token })).json(),
  post: async (path: `/${string}`, body: object) =>
    (await app.ask("POST", path, { token, body, headers: { "idempotency-key": randomUUID() } })).json(),
});
const offeredAt = ({ id }: { id: string }): `/${string}` =>
  `/v1/phone-numbers/available?countryCode=US&accountId=${id}`;

test("a number that an organisation has in a sandbox doesn't keep its real holder from using it here", async () => {
  const [player, holder] = [await newRep(app), await newRep(app)];
  const sandbox = await connectAccount(app, player, there(made));
  const account = await connectAccount(app, holder, there(real));
  expect([sandbox.isSandbox, account.isSandbox]).toEqual([true, false]);
  const [{ number }] = await askAs(player).get(offeredAt(sandbox));
  await askAs(player).post("/v1/number-orders", { accountId: sandbox.id, number, countryCode: "US" });
  // Its holder bought it at the vendor.
  await atVendor(there(real), async (provisioner) => {
    const trunk = `leadline-${randomUUID().slice(0, 8)}`;
    const callLimits = { countries: ["US"], dailySpendMicros: 1_000_000, simultaneousCalls: 1 };
    const wanted = { name: trunk, user: `user${trunk.slice(-8)}`, password: `Aa1${"x".repeat(20)}` };
    await provisioner.ensureTrunk({ ...wanted, calledAt: null, callLimits }, async () => {});
    const intent = { number, countryCode: "US", type: "local", trunk, reference: randomUUID() } as const;
    await vi.waitFor(async () => expect((await provisioner.buy(intent)).state).toBe("bought"));
    await provisioner.removeTrunk(trunk);
  });

  const { get, post } = askAs(holder);
  expect(await get(`/v1/carrier-accounts/${account.id}/numbers`)).toEqual([{ number, use: null }]);
  expect(await post(`/v1/carrier-accounts/${account.id}/numbers`, { number })).toMatchObject({ state: "bought" });
  for (const rep of [player, holder]) expect(await askAs(rep).get("/v1/phone-numbers")).toMatchObject([{ number }]);
});

test("a number that an organisation really has can be bought in a sandbox", async () => {
  const [holder, player] = [await newRep(app), await newRep(app)];
  const account = await connectAccount(app, holder, there(real));
  const sandbox = await connectAccount(app, player, there(made));
  const [{ number }] = await askAs(holder).get(offeredAt(account));
  const order = (rep: Rep, accountId: string) =>
    askAs(rep).post("/v1/number-orders", { accountId, number, countryCode: "US" });
  expect(await order(holder, account.id)).toMatchObject({ state: "bought" });
  expect(await askAs(player).get(offeredAt(sandbox))).toContainEqual(expect.objectContaining({ number }));
  expect(await order(player, sandbox.id)).toMatchObject({ state: "bought" });
  // In each network it has one holder.
  const other = await newRep(app);
  const { id } = await connectAccount(app, other, there(real));
  expect(await askAs(other).get(offeredAt({ id }))).not.toContainEqual(expect.objectContaining({ number }));
});
