import { randomUUID } from "node:crypto";
import { type Provisioner, ProvisionerError, type ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { atVendor, connectAccount } from "../../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { newRep, type Rep, testAppWithCalls } from "../../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
let release: Provisioner["release"] | null = null;
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  async open(key, options) {
    const provisioner = await module.open(key, options);
    return { ...provisioner, release: (number) => (release ?? provisioner.release)(number) };
  },
}));
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, modules, publicAddress: async () => null, resumeEveryMs: 100 }),
});

const there = (index = 0) => {
  const vendor = provisioners[index]?.module.id ?? "";
  const sandbox = sandboxes.get(vendor);
  if (!sandbox) throw new Error("No vendor is listed.");
  return { vendor, sandbox };
};
const connect = (rep: Rep, index = 0) => connectAccount(app, rep, there(index));
const askAs = ({ token }: Rep) => ({
  get: async (path: `/${string}`) => (await app.ask("GET", path, { token })).json(),
  order: (body: object) =>
    app.ask("POST", "/v1/number-orders", { token, body, headers: { "idempotency-key": randomUUID() } }),
});

test("a number of one account isn't moved to another account of the organisation", async () => {
  const rep = await newRep(app);
  const { get, order } = askAs(rep);
  // Two connections of one vendor's account: its numbers are in one network.
  const last = provisioners.length - 1;
  const [one, other] = [await connect(rep, last), await connect(rep, last)];
  const [{ number }] = await get(`/v1/phone-numbers/available?countryCode=US&accountId=${one.id}`);
  await order({ accountId: one.id, number, countryCode: "US" });
  const before = await atVendor(there(last), (provisioner) => provisioner.numbers());
  const adopting = await app.ask("POST", `/v1/carrier-accounts/${other.id}/numbers`, {
    token: rep.token,
    body: { number },
  });
  expect(adopting.json()).toMatchObject({
    status: 409,
    detail: `You already have ${number}, at another account. It stays there.`,
  });
  expect(await atVendor(there(last), (provisioner) => provisioner.numbers())).toEqual(before);
});

test("a number that one organisation has in a vendor's sandbox can be bought by another one in another vendor's", async () => {
  const [rep, other] = [await newRep(app), await newRep(app)];
  const [one, another] = [await connect(rep), await connect(other, 1)];
  const { get, order } = askAs(other);
  const offeredBy = (ask: typeof get, { id }: { id: string }): Promise<{ number: string }[]> =>
    ask(`/v1/phone-numbers/available?countryCode=US&accountId=${id}`);
  const theirs = (await offeredBy(get, another)).map((each) => each.number);
  const number = (await offeredBy(askAs(rep).get, one)).find((each) => theirs.includes(each.number))?.number ?? "";
  await askAs(rep).order({ accountId: one.id, number, countryCode: "US" });
  expect(await offeredBy(get, another)).toContainEqual(expect.objectContaining({ number }));
  expect((await order({ accountId: another.id, number, countryCode: "US" })).json()).toMatchObject({ state: "bought" });
  expect(await askAs(rep).get("/v1/phone-numbers")).toMatchObject([{ number }]);
});

test("a release that the vendor refuses after a silence gives the number back, with the vendor's reason", async () => {
  const rep = await newRep(app);
  const { token } = rep;
  const { get, order } = askAs(rep);
  const account = await connect(rep);
  const [{ number }] = await get(`/v1/phone-numbers/available?countryCode=US&accountId=${account.id}`);
  await order({ accountId: account.id, number, countryCode: "US" });
  const [{ id }] = await get("/v1/phone-numbers");

  const reason = "This key may not do that. Use one with full access.";
  let answers = () => new ProvisionerError("unreachable", "The vendor isn’t responding.");
  release = async () => {
    throw answers();
  };
  expect((await app.ask("DELETE", `/v1/phone-numbers/${id}`, { token })).statusCode).not.toBe(204);
  expect(await get("/v1/phone-numbers")).toEqual([]);

  answers = () => new ProvisionerError("not-permitted", reason);
  await vi.waitFor(async () => expect(await get("/v1/phone-numbers")).toMatchObject([{ number }]));
  expect(await get("/v1/number-orders")).toMatchObject([
    { number, sentence: `${reason} It wasn’t released, and costs money until it is.` },
  ]);
});

test("a release that its admin waits for isn't repeated in the background", async () => {
  const rep = await newRep(app);
  const { token } = rep;
  const { get, order } = askAs(rep);
  const account = await connect(rep);
  const offered = await get(`/v1/phone-numbers/available?countryCode=US&accountId=${account.id}`);
  const [slow, silent] = offered.map(({ number }: { number: string }) => number);
  for (const number of [slow, silent]) await order({ accountId: account.id, number, countryCode: "US" });
  const ids = new Map(
    (await get("/v1/phone-numbers")).map((each: { number: string; id: string }) => [each.number, each.id]),
  );
  const released: string[] = [];
  const slowly = Promise.withResolvers<void>();
  release = async (number) => {
    released.push(number);
    if (number === slow) return slowly.promise;
    if (released.filter((each) => each === number).length === 1)
      throw new ProvisionerError("unreachable", "The vendor isn’t responding.");
  };
  const deleting = (number: string) => app.ask("DELETE", `/v1/phone-numbers/${ids.get(number)}`, { token });
  const isReleased = deleting(slow);
  await vi.waitFor(() => expect(released).toEqual([slow]));
  expect((await deleting(silent)).statusCode).not.toBe(204);
  // Orders are resumed in turn, the slow one first.
  await vi.waitFor(() => expect(released).toEqual([slow, silent, silent]));
  slowly.resolve();
  expect((await isReleased).statusCode).toBe(204);
});

test("a release stays open while its account is being disconnected, and is resumed if that fails", async () => {
  const rep = await newRep(app);
  const { token, organisationId } = rep;
  const { get, order } = askAs(rep);
  const account = await connect(rep);
  const [{ number }] = await get(`/v1/phone-numbers/available?countryCode=US&accountId=${account.id}`);
  await order({ accountId: account.id, number, countryCode: "US" });
  const [{ id }] = await get("/v1/phone-numbers");
  const isHeld = () => atVendor(there(), (provisioner) => provisioner.holds(number));
  const setState = (state: "connected" | "disconnecting") =>
    app.database.withTransaction({ organisationId }, (tx) =>
      sql`update carrier_accounts set state = ${state} where id = ${account.id}`.execute(tx),
    );
  const read = () =>
    app.database.withTransaction({ organisationId }, (tx) =>
      tx.selectFrom("phone_numbers").select(["state", "asked_at"]).where("id", "=", id).executeTakeFirst(),
    );

  release = async () => {
    throw new ProvisionerError("unreachable", "The vendor isn’t responding.");
  };
  expect((await app.ask("DELETE", `/v1/phone-numbers/${id}`, { token })).statusCode).not.toBe(204);
  await setState("disconnecting");
  release = null;
  // Resumed twice, so once at least since then.
  for (let times = 0; times < 2; times++) {
    const askedAt = (await read())?.asked_at;
    await vi.waitFor(async () => expect((await read())?.asked_at).not.toEqual(askedAt));
  }
  expect(await read()).toMatchObject({ state: "releasing" });
  expect(await isHeld()).toBe(true);
  await setState("connected");
  await vi.waitFor(async () => expect(await read()).toMatchObject({ state: "released" }));
  expect(await isHeld()).toBe(false);
});
