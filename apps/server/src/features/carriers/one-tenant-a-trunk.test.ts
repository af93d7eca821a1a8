import { randomInt } from "node:crypto";
import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { identify } from "@leadline/carrier-sip-trunk/identify";
import { openSipTrunk } from "@leadline/carrier-sip-trunk/open-sip-trunk";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import { startDns } from "@leadline/carrier-sip-trunk/testing/start-dns";
import { freePort } from "@leadline/carrier-sip-trunk/testing/start-program";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";
import { selectOthersInTurn } from "./carriers.table.ts";

let dns: Awaited<ReturnType<typeof startDns>>;
/** The trunk, asking this file's DNS server alone. */
const trunk: CarrierModule<typeof sipTrunk.settings> = {
  ...sipTrunk,
  identify: (settings) => identify(settings, dns.resolver),
  open: (settings, listener, shared) => openSipTrunk(settings, { listener, ...shared, resolver: dns.resolver }),
};
const app = testAppWithCalls([trunk]);
beforeAll(async () => {
  dns = await startDns([
    { name: "sip.provider.example", type: "A", address: "100.64.0.9" },
    { name: "other-name.provider.example", type: "A", address: "100.64.0.9" },
  ]);
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

test("a provider that knows this server by its address belongs to one organisation, however it is written", async () => {
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
  // The owner may have a second one there, and what is given up is free again.
  expect((await create(owner, byAddress("sip.provider.example"))).statusCode).toBe(201);
  const kept = (await app.ask("GET", "/v1/carriers", { token: owner.token })).json();
  for (const { id } of kept) await app.ask("DELETE", `/v1/carriers/${id}`, { token: owner.token });
  expect((await create(stranger, byAddress("sip.provider.example"))).statusCode).toBe(201);
});

test("signing in by address is refused where another organisation already calls with a password", async () => {
  const [owner, stranger] = [await newRep(app), await newRep(app)];
  const host = `127.0.0.1:${await freePort()}`;
  expect((await create(owner, byPassword(host))).statusCode).toBe(201);
  expect((await create(stranger, byPassword(host))).statusCode).toBe(201);
  expect(fieldsOf(await create(stranger, byAddress(host)))).toEqual(["settings.host"]);
});

test("a local port and a number belong to one organisation, also where a carrier is changed", async () => {
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
  expect(fieldsOf(await change({ ...whole, callerId: own }))).toEqual(["settings.numbers"]);
});

test("a carrier that moves to another server takes that one, and gives up the one it had", async () => {
  const [owner, stranger] = [await newRep(app), await newRep(app)];
  const [from, to] = [byAddress(`127.0.0.1:${await freePort()}`), byAddress(`127.0.0.1:${await freePort()}`)];
  const made = await create(owner, from);
  const change = { token: owner.token, body: { settings: { ...made.json().settings, ...to } } };
  expect((await app.ask("PUT", `/v1/carriers/${made.json().id}`, change)).statusCode).toBe(200);
  expect(fieldsOf(await create(stranger, to))).toEqual(["settings.host"]);
  expect((await create(stranger, from)).statusCode).toBe(201);
});

test("of organisations that connect the same provider at once, one does", async () => {
  const reps = await Promise.all(Array.from({ length: 6 }, () => newRep(app)));
  const host = `127.0.0.1:${await freePort()}`;
  const answers = await Promise.all(reps.map((rep) => create(rep, byAddress(host))));
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 422, 422, 422, 422, 422]);
});

test("a transaction that has looked at what others' trunks are known by still sees its own organisation alone", async () => {
  const [own, other] = [await newRep(app), await newRep(app)];
  for (const rep of [own, other])
    expect((await create(rep, byAddress(`127.0.0.1:${await freePort()}`))).statusCode).toBe(201);
  const { organisationId, id: userId } = own;
  const seen = await app.database.withTransaction({ organisationId, userId }, async (tx) => {
    expect((await selectOthersInTurn(tx, organisationId)).length).toBeGreaterThan(0);
    return tx.selectFrom("carriers").select("organisation_id").distinct().execute();
  });
  expect(seen).toEqual([{ organisation_id: organisationId }]);
});
