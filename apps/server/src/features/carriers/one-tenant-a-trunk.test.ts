import { randomInt } from "node:crypto";
import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { identify } from "@leadline/carrier-sip-trunk/identify";
import { openSipTrunk } from "@leadline/carrier-sip-trunk/open-sip-trunk";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import { startDns } from "@leadline/carrier-sip-trunk/testing/start-dns";
import { startRawPeer } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import { freePort } from "@leadline/carrier-sip-trunk/testing/start-program";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "../../config.ts";
import { newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";
import { selectOthersInTurn } from "./identities.table.ts";
import { assignServers } from "./server-owners.ts";

let dns: Awaited<ReturnType<typeof startDns>>;
const at = (name: string, address: string) => ({ name, type: "A" as const, address });
/** Records added or changed later apply from then on. */
const records = [at("sip.provider.example", "100.64.0.9"), at("other-name.provider.example", "100.64.0.9")];
/** Resolving the host of these settings waits for this. */
let heldUp: { host: string; until: Promise<unknown> } | null = null;
/** The trunk with this file's DNS server. */
const trunk: CarrierModule<typeof sipTrunk.settings> = {
  ...sipTrunk,
  async identify(settings) {
    if (settings.host === heldUp?.host) await heldUp.until;
    return identify(settings, dns.resolver);
  },
  open: (settings, listener, shared) => openSipTrunk(settings, { listener, ...shared, resolver: dns.resolver }),
};
const app = testAppWithCalls([trunk]);
beforeAll(async () => {
  dns = await startDns(records);
});
afterAll(() => dns.close());

const create = (rep: Rep, settings: object) =>
  app.ask("POST", "/v1/carriers", {
    token: rep.token,
    body: { kind: "sip-trunk", label: "Trunk", settings: { transport: "udp", ...settings } },
  });
const byAddress = (host: string, rest: object = {}) => ({ host, authentication: "ip", ...rest });
const byPassword = (host: string) => ({ host, authentication: "digest", user: "agent", password: "secret" });
const fieldsOf = (answer: { json(): { errors?: { field: string }[] } }) =>
  answer.json().errors?.map(({ field }) => field);

test("a provider that identifies this server by its address belongs to one organisation, however it is written", async () => {
  const [owner, stranger] = [await newRep(app), await newRep(app)];
  const first = await create(owner, byAddress("sip.provider.example"));
  expect(first.statusCode).toBe(201);
  const same = [
    byAddress("SIP.Provider.Example."),
    byAddress("sip.provider.example:5060"),
    byAddress("other-name.provider.example"),
    byAddress("100.64.0.9"),
    byAddress("192.0.2.77, sip.provider.example"),
    { ...byPassword("192.0.2.77"), outboundProxy: "sip.provider.example" },
    byPassword("sip.provider.example"),
  ];
  for (const settings of same) {
    const refused = await create(stranger, settings);
    expect({ settings, status: refused.statusCode }).toEqual({ settings, status: 422 });
    expect(fieldsOf(refused)).toEqual(["settings.host"]);
    expect(refused.body).not.toContain(owner.organisationId);
  }
  // The same owner may connect it twice, and a removed one is free again.
  expect((await create(owner, byAddress("sip.provider.example"))).statusCode).toBe(201);
  const kept = (await app.ask("GET", "/v1/carriers", { token: owner.token })).json();
  for (const { id } of kept) await app.ask("DELETE", `/v1/carriers/${id}`, { token: owner.token });
  expect((await create(stranger, byAddress("sip.provider.example"))).statusCode).toBe(201);
});

test("refuses to connect by address where another organisation already calls with a password", async () => {
  const [owner, stranger] = [await newRep(app), await newRep(app)];
  const host = `127.0.0.1:${await freePort()}`;
  expect((await create(owner, byPassword(host))).statusCode).toBe(201);
  expect((await create(stranger, byPassword(host))).statusCode).toBe(201);
  expect(fieldsOf(await create(stranger, byAddress(host)))).toEqual(["settings.host"]);
});

test("a local port and a number belong to one organisation, even after a change", async () => {
  const [owner, stranger] = [await newRep(app), await newRep(app)];
  const localPort = await freePort();
  const own = `+4930${randomInt(10_000_000, 99_999_999)}`;
  const given = byAddress(`127.0.0.1:${await freePort()}`, { localPort, numbers: [own] });
  expect((await create(owner, given)).statusCode).toBe(201);
  const elsewhere = byAddress(`127.0.0.1:${await freePort()}`);
  const made = await create(stranger, elsewhere);
  expect(made.statusCode).toBe(201);
  const change = (settings: object) =>
    app.ask("PUT", `/v1/carriers/${made.json().id}`, { token: stranger.token, body: { settings } });
  const whole = { ...made.json().settings, ...elsewhere };
  expect(fieldsOf(await change({ ...whole, localPort }))).toEqual(["settings.localPort"]);
  expect(fieldsOf(await change({ ...whole, numbers: [own] }))).toEqual(["settings.numbers"]);
  expect(fieldsOf(await change({ ...whole, callerId: own }))).toEqual(["settings.callerId"]);
});

test("a carrier that moves to another server claims that one and releases the old one", async () => {
  const [owner, stranger] = [await newRep(app), await newRep(app)];
  const [from, to] = [byAddress(`127.0.0.1:${await freePort()}`), byAddress(`127.0.0.1:${await freePort()}`)];
  const made = await create(owner, from);
  const change = { token: owner.token, body: { settings: { ...made.json().settings, ...to } } };
  expect((await app.ask("PUT", `/v1/carriers/${made.json().id}`, change)).statusCode).toBe(200);
  expect(fieldsOf(await create(stranger, to))).toEqual(["settings.host"]);
  expect((await create(stranger, from)).statusCode).toBe(201);
});

test("of organisations that connect the same provider at once, only one succeeds", async () => {
  const reps = await Promise.all(Array.from({ length: 6 }, () => newRep(app)));
  const host = `127.0.0.1:${await freePort()}`;
  const answers = await Promise.all(reps.map((rep) => create(rep, byAddress(host))));
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 422, 422, 422, 422, 422]);
});

test("a transaction that has read other organisations' trunk identities still sees only its own data", async () => {
  const [own, other] = [await newRep(app), await newRep(app)];
  for (const rep of [own, other])
    expect((await create(rep, byAddress(`127.0.0.1:${await freePort()}`))).statusCode).toBe(201);
  const { organisationId, id: userId } = own;
  const seen = await app.database.withTransaction({ organisationId, userId }, async (tx) => {
    expect((await selectOthersInTurn(tx, organisationId, [])).identities.length).toBeGreaterThan(0);
    return tx.selectFrom("carriers").select("organisation_id").distinct().execute();
  });
  expect(seen).toEqual([{ organisation_id: organisationId }]);
});

const use = (rep: Rep, id: string, inUse: boolean) =>
  app.ask("PUT", `/v1/carriers/${id}`, { token: rep.token, body: { inUse } });
const stateOf = async (rep: Rep, id: string) =>
  (await app.ask("GET", "/v1/carriers", { token: rep.token })).json().find((one: { id: string }) => one.id === id)
    ?.state;

test("a name that later resolves to another organisation's server is no longer used, with an explanation", async () => {
  const [owner, stranger] = [await newRep(app), await newRep(app)];
  const provider = await startRawPeer();
  onTestFinished(() => provider.close());
  expect((await create(owner, byAddress(`127.0.0.1:${provider.port}`))).statusCode).toBe(201);
  for (const [name, before] of [
    ["moves.example", "127.0.0.7"],
    ["unknown-at-first.example", null],
  ] as const) {
    if (before !== null) records.push(at(name, before));
    const made = await create(stranger, byPassword(`${name}:${provider.port}`));
    expect(made.statusCode).toBe(201);
    const { id } = made.json();
    await use(stranger, id, false);
    records.splice(0, records.length, ...records.filter((one) => one.name !== name), at(name, "127.0.0.1"));
    await use(stranger, id, true);
    await vi.waitFor(async () =>
      expect(await stateOf(stranger, id)).toMatchObject({
        level: "down",
        sentence: expect.stringContaining("another organisation"),
      }),
    );
    const call = { phoneNumber: "+12025550100" };
    const refused = await app.ask("POST", "/v1/calls", { token: stranger.token, body: call });
    expect(refused.json().type).toContain("carrier-unreachable");
    // It is not a backup carrier of the next one.
    await use(stranger, id, false);
  }
  expect(provider.all("INVITE")).toEqual([]);
});

test("what a name resolves to later belongs to the organisation from then on", async () => {
  const [owner, stranger] = [await newRep(app), await newRep(app)];
  const port = await freePort();
  const { id } = (await create(owner, byAddress(`later.example:${port}`))).json();
  await use(owner, id, false);
  records.push(at("later.example", "127.0.0.8"));
  await use(owner, id, true);
  await vi.waitFor(async () => expect((await stateOf(owner, id))?.level).not.toBe("unused"));
  await vi.waitFor(async () =>
    expect(fieldsOf(await create(stranger, byPassword(`127.0.0.8:${port}`)))).toEqual(["settings.host"]),
  );
});

test("testing a connection is refused where saving it would be", async () => {
  const [owner, stranger] = [await newRep(app), await newRep(app)];
  const provider = await startRawPeer();
  onTestFinished(() => provider.close());
  const settings = { transport: "udp", ...byAddress(`127.0.0.1:${provider.port}`) };
  expect((await create(owner, settings)).statusCode).toBe(201);
  await vi.waitFor(() => expect(provider.all("OPTIONS")).not.toEqual([]));
  const seen = provider.received.length;
  const check = (rep: Rep) =>
    app.ask("POST", "/v1/carriers/check", { token: rep.token, body: { kind: "sip-trunk", settings } });
  expect(fieldsOf(await check(stranger))).toEqual(["settings.host"]);
  expect(provider.received.slice(seen)).toEqual([]);
  expect((await check(owner)).statusCode).toBe(200);
});

test("one organisation's slow DNS doesn't delay others", async () => {
  const [slow, other] = [await newRep(app), await newRep(app)];
  const { promise, resolve } = Promise.withResolvers<void>();
  const host = `127.0.0.1:${await freePort()}`;
  heldUp = { host, until: promise };
  const waiting = create(slow, byAddress(host));
  expect((await create(other, byAddress(`127.0.0.1:${await freePort()}`))).statusCode).toBe(201);
  resolve();
  expect((await waiting).statusCode).toBe(201);
});

test("a number entered for a server outside the operator's networks isn't reserved", async () => {
  const [first, second] = [await newRep(app), await newRep(app)];
  records.push(at("one.example", "1.1.1.1"), at("two.example", "1.0.0.1"));
  const number = `+4930${randomInt(10_000_000, 99_999_999)}`;
  for (const [rep, host] of [
    [first, "one.example"],
    [second, "two.example"],
  ] as const)
    expect((await create(rep, { ...byPassword(host), callerId: number })).statusCode).toBe(201);
});

/** What the administrator decides, as after a restart. */
function decide(setting: string): void {
  assignServers(readConfig({ CARRIER_OWNERS: setting }, { dev: false }).carrierOwners);
  onTestFinished(() => assignServers(new Map()));
}

/** A restart opens each carrier anew. */
async function reopen(rep: Rep, id: string): Promise<void> {
  await use(rep, id, false);
  await use(rep, id, true);
}

const isRefused = (rep: Rep, id: string) =>
  vi.waitFor(async () =>
    expect(await stateOf(rep, id)).toMatchObject({
      level: "down",
      sentence: expect.stringContaining("another organisation"),
    }),
  );

test("the administrator gives a server to one organisation, and what a stranger connected there is no longer used", async () => {
  const [owner, stranger] = [await newRep(app), await newRep(app)];
  const server = `127.0.0.1:${await freePort()}`;
  const claimed = (await create(stranger, byAddress(server))).json();
  expect(fieldsOf(await create(owner, byAddress(server)))).toEqual(["settings.host"]);
  decide(`${server}=${owner.organisationId}`);
  await reopen(stranger, claimed.id);
  await isRefused(stranger, claimed.id);
  expect((await create(owner, byAddress(server))).statusCode).toBe(201);
  for (const settings of [byAddress(server), byPassword(server)])
    expect(fieldsOf(await create(stranger, settings))).toEqual(["settings.host"]);
});

test("the administrator keeps a server for those with a password, and a stranger's sign-in by address doesn't count", async () => {
  const [stranger, first, second] = [await newRep(app), await newRep(app), await newRep(app)];
  const server = `127.0.0.1:${await freePort()}`;
  const claimed = (await create(stranger, byAddress(server))).json();
  expect(fieldsOf(await create(first, byPassword(server)))).toEqual(["settings.host"]);
  decide(`${server}=shared`);
  await reopen(stranger, claimed.id);
  await isRefused(stranger, claimed.id);
  for (const rep of [first, second]) expect((await create(rep, byPassword(server))).statusCode).toBe(201);
  expect(fieldsOf(await create(first, byAddress(server)))).toEqual(["settings.host"]);
});

test("a carrier follows its own name to a server that the administrator gave it, whoever entered that address", async () => {
  const [owner, stranger] = [await newRep(app), await newRep(app)];
  const port = await freePort();
  records.push(at("follows.example", "127.0.0.9"));
  const { id } = (await create(owner, byPassword(`follows.example:${port}`))).json();
  expect((await create(stranger, byAddress(`127.0.0.10:${port}`))).statusCode).toBe(201);
  records.splice(0, records.length, ...records.filter(({ name }) => name !== "follows.example"));
  records.push(at("follows.example", "127.0.0.10"));
  await reopen(owner, id);
  await isRefused(owner, id);
  decide(`127.0.0.10:${port}=${owner.organisationId}`);
  await reopen(owner, id);
  await vi.waitFor(async () => expect((await stateOf(owner, id))?.sentence).not.toContain("another organisation"));
});

test("CARRIER_OWNERS accepts servers with an owner, and explains anything else", () => {
  const read = (setting: string) => [...readConfig({ CARRIER_OWNERS: setting }, { dev: false }).carrierOwners];
  const id = crypto.randomUUID();
  expect(read("")).toEqual([]);
  expect(read(`SIP.Example=${id}, 2606:4700::1111=shared`)).toEqual([
    ["sip.example", id],
    ["2606:4700::1111", "shared"],
  ]);
  for (const wrong of ["sip.example", "sip.example=", `=${id}`, "sip.example=somebody"])
    expect(() => read(wrong)).toThrow("CARRIER_OWNERS must be servers, each with = and an organisation's id or shared");
});
