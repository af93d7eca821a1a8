import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { openSipTrunk } from "@leadline/carrier-sip-trunk/open-sip-trunk";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import { startDns } from "@leadline/carrier-sip-trunk/testing/start-dns";
import { account, number, openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { freePort } from "@leadline/carrier-sip-trunk/testing/start-program";
import type { Call } from "@leadline/contract/calls";
import type { CarrierConnection } from "@leadline/contract/carriers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "kysely";
import { carrierModules } from "../../adapters.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../testing/test-calls.ts";

let dns: Awaited<ReturnType<typeof startDns>>;
/** The trunk, with a DNS server of this file's own. */
const trunk: CarrierModule<typeof sipTrunk.settings> = {
  ...sipTrunk,
  open: (settings, listener, shared) => openSipTrunk(settings, { listener, ...shared, resolver: dns.resolver }),
};
const app = testAppWithCalls([...carrierModules.filter(({ id }) => id !== sipTrunk.id), trunk]);
let stage: Stage;
let registrar: number;
beforeAll(async () => {
  [stage, dns] = await Promise.all([openStage(), startDns([])]);
  const callee = await stage.sipp({ scenario: "answer", echoes: true });
  registrar = (await stage.kamailio({ callees: { "01": callee } })).port;
});
afterAll(async () => {
  dns.close();
  await stage.close();
});

const settings = () => ({
  host: `127.0.0.1:${registrar}`,
  transport: "udp",
  authentication: "digest",
  user: account.user,
  password: account.password,
});
const create = (rep: Rep, given: object = settings(), price: object = {}) =>
  app.ask("POST", "/v1/carriers", {
    token: rep.token,
    body: { kind: "sip-trunk", label: "Trunk", settings: given, ...price },
  });
const list = async (rep: Rep): Promise<CarrierConnection[]> =>
  (await app.ask("GET", "/v1/carriers", { token: rep.token })).json();
const put = (rep: Rep, id: string, body: object) => app.ask("PUT", `/v1/carriers/${id}`, { token: rep.token, body });
const hangUp = (rep: Rep, callSid: string) => app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });

describe("the kinds of carriers", () => {
  test("are those with settings, each described in its form's terms", async () => {
    const rep = await newRep(app);
    const kinds = (await app.ask("GET", "/v1/carriers/kinds", { token: rep.token })).json();
    expect(kinds).toHaveLength(1);
    expect(kinds[0]).toMatchObject({
      kind: "sip-trunk",
      name: "SIP trunk",
      capabilities: { hold: true, inbound: true },
    });
    expect(kinds[0].form.properties.host).toMatchObject({ title: "Server" });
    expect(kinds[0].form.properties.password).toMatchObject({ title: "Password", secret: true });
  });
});

describe("an organisation's carrier", () => {
  test("is stored without showing its secret to anyone, and encrypted in the database", async () => {
    const [rep, stranger] = await Promise.all([newRep(app), newRep(app)]);
    const made = await create(rep);
    expect(made.statusCode).toBe(201);
    expect(made.body).not.toContain(account.password);
    const [carrier, ...others] = await list(rep);
    expect(others).toEqual([]);
    expect(carrier).toMatchObject({ kind: "sip-trunk", label: "Trunk", inUse: true, secretsSet: ["password"] });
    expect(carrier?.settings).toMatchObject({ host: `127.0.0.1:${registrar}`, user: account.user });
    expect(await list(stranger)).toEqual([]);
    const scope = { organisationId: rep.organisationId };
    const { rows } = await app.database.withTransaction(scope, (tx) =>
      sql<{
        whole: string;
      }>`select c::text || s::text as whole from carriers c join carrier_secrets s on s.carrier_id = c.id`.execute(tx),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.whole).not.toContain(account.password);
  });

  test("is refused with a message for each invalid field", async () => {
    const rep = await newRep(app);
    const refused = await create(rep, { ...settings(), host: "not a host", numbers: ["123"] });
    expect(refused.statusCode).toBe(422);
    expect(refused.json().errors.map(({ field }: { field: string }) => field)).toEqual([
      "settings.host",
      "settings.numbers.0",
    ]);
    const empty = { kind: "sip-trunk", label: "", settings: { host: "" }, pricePerMinute: -500 };
    const everything = await app.ask("POST", "/v1/carriers", { token: rep.token, body: empty });
    expect(everything.json().errors.map(({ field }: { field: string }) => field)).toEqual([
      "label",
      "pricePerMinute",
      "settings.host",
      "settings.user",
      "settings.password",
    ]);
    const { id } = (await create(rep)).json();
    const change = { label: "", settings: { ...settings(), host: "", password: undefined } };
    const changed = await put(rep, id, change);
    expect(changed.json().errors.map(({ field }: { field: string }) => field)).toEqual(["label", "settings.host"]);
    // Another organisation's carrier is not found.
    const elsewhere = await put(await newRep(app), id, change);
    expect(elsewhere.json().errors.map(({ field }: { field: string }) => field)).toEqual(["label"]);
    const unknown = { kind: "sandbox", label: "Mine", settings: {} };
    expect((await app.ask("POST", "/v1/carriers", { token: rep.token, body: unknown })).json().type).toBe(
      "/api/docs#not-supported",
    );
  });

  test("takes a price per minute in fractions of a cent as its first rate", async () => {
    const rep = await newRep(app);
    const ratesOf = async (id: string) =>
      (await app.ask("GET", `/v1/carriers/${id}/rates`, { token: rep.token })).json().rates;
    expect(await ratesOf((await create(rep)).json().id)).toEqual([]);
    const { id } = (await create(rep, settings(), { pricePerMinute: 13_500 })).json();
    expect(await ratesOf(id)).toMatchObject([
      { prefix: "", perMinuteMicros: 13_500, firstSeconds: 60, nextSeconds: 60 },
    ]);
    const refusals = [
      [null, "Enter an amount."],
      [-100, "Enter an amount of $0 or more."],
      [100_000_100, "At most $100 a minute."],
      [13_550, "Enter dollars with at most four decimals, such as 0.0135."],
    ] as const;
    for (const [wrong, message] of refusals) {
      const refused = await create(rep, settings(), { pricePerMinute: wrong });
      expect(refused.json().errors).toEqual([{ field: "pricePerMinute", message }]);
    }
  });

  test("carries the organisation's calls while it is in use; the sandbox does again once it isn't", async () => {
    const rep = await newRep(app);
    const { id } = (await create(rep, settings(), { pricePerMinute: 13_000 })).json();
    const callSid = await dial(app, rep, number("01"));
    expect(await waitForStatus(app, rep, { callSid, status: "in-progress" })).toMatchObject({
      carrier: "sip-trunk",
      canHold: true,
    });
    const held = await app.ask("PATCH", `/v1/calls/${callSid}`, { token: rep.token, body: { held: true } });
    expect(held.statusCode).toBe(200);

    // A carrier can be taken out of use during a call, which then continues.
    expect((await put(rep, id, { inUse: false })).json()).toMatchObject({ inUse: false, state: { level: "unused" } });
    expect(await waitForStatus(app, rep, { callSid, status: "in-progress" })).toMatchObject({ held: true });
    expect((await hangUp(rep, callSid)).json()).toMatchObject({ status: "completed", costMicros: 13_000 });
    const next = await dial(app, rep, number("00"));
    expect(await waitForStatus(app, rep, { callSid: next, status: "in-progress" })).toMatchObject({
      carrier: "sandbox",
    });
    await hangUp(rep, next);
  });

  test("keeps a secret that a change omits, and becomes the backup of one connected or used later", async () => {
    const rep = await newRep(app);
    const { id } = (await create(rep)).json();
    const { password: _, ...rest } = settings();
    const changed = await put(rep, id, { label: "Renamed", settings: { ...rest, keys: "info" } });
    expect(changed.json()).toMatchObject({ label: "Renamed", secretsSet: ["password"], settings: { keys: "info" } });
    const callSid = await dial(app, rep, number("01"));
    await waitForStatus(app, rep, { callSid, status: "in-progress" });
    await hangUp(rep, callSid);

    const second = (await create(rep)).json();
    const order = async () => (await list(rep)).filter(({ inUse }) => inUse).map((carrier) => carrier.id);
    expect(await order()).toEqual([second.id, id]);
    expect((await put(rep, id, { inUse: false })).json()).toMatchObject({ inUse: false });
    expect(await order()).toEqual([second.id]);
    expect((await put(rep, id, { inUse: true })).json()).toMatchObject({ inUse: true });
    expect(await order()).toEqual([id, second.id]);
    const removed = await app.ask("DELETE", `/v1/carriers/${second.id}`, { token: rep.token });
    expect(removed.statusCode).toBe(204);
    expect((await app.ask("DELETE", `/v1/carriers/${second.id}`, { token: rep.token })).statusCode).toBe(404);
  });

  test("that can't be opened is shown as down, and its call is refused with an explanation", async () => {
    const rep = await newRep(app);
    await create(rep, { ...settings(), host: "nowhere.invalid" });
    const refused = await app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber: number("01") } });
    expect(refused.json().type).toBe("/api/docs#carrier-unreachable");
    await expect
      .poll(async () => (await list(rep))[0]?.state)
      .toMatchObject({
        level: "down",
        sentence: expect.stringContaining("nowhere.invalid has no address."),
      });
  });
});

describe("an inbound call while nobody can be rung", () => {
  test("is listed as missed and unassigned, with the lead that has its number", async () => {
    const rep = await newRep(app);
    const { port } = await stage.kamailio({ callees: {} });
    const own = "+442079460126";
    const lead = { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", phone: "+44 20 7183 8750" };
    await app.ask("POST", "/v1/leads", { token: rep.token, body: lead });
    await create(rep, { ...settings(), host: `127.0.0.1:${port}`, authentication: "register", numbers: [own] });
    await expect.poll(async () => (await list(rep))[0]?.state.level).toBe("working");
    await stage.sipp({ scenario: "call-in", calls: { port, number: own } });
    const calls = async (): Promise<Call[]> =>
      (await app.ask("GET", "/v1/calls?direction=inbound", { token: rep.token })).json();
    await expect.poll(async () => (await calls()).length).toBe(1);
    const [missed] = await calls();
    expect(missed).toMatchObject({
      direction: "inbound",
      status: "no-answer",
      phoneNumber: "+442071838750",
      calledNumber: own,
      userId: null,
      userName: "",
      carrier: "sip-trunk",
      cause: { reason: "no-answer", sip: 480, q850: 19 },
      leads: [{ firstName: "Ada" }],
    });
    // It doesn't count towards the organisation's limits.
    const limits = (await app.ask("GET", "/v1/limits", { token: rep.token })).json();
    expect(limits.used).toMatchObject({ concurrentCalls: 0, callsPerMinute: 0 });
    const today = new Date().toISOString().slice(0, 10);
    const asked = await app.ask("GET", `/v1/statistics?from=${today}&to=${today}&timeZone=UTC`, { token: rep.token });
    expect(asked.json().period.calls).toBe(0);
    expect(asked.json().members).toHaveLength(1);
  });
});

describe("checking a carrier", () => {
  const check = (rep: Rep, body: object) => app.ask("POST", "/v1/carriers/check", { token: rep.token, body });

  test("shows step by step what works, with the stored secret, before anything is saved", async () => {
    const rep = await newRep(app);
    const given = { ...settings(), authentication: "register" };
    const checked = await check(rep, { kind: "sip-trunk", settings: given });
    const steps = checked.json().map(({ what, ok }: { what: string; ok: boolean }) => [what, ok]);
    expect(steps).toEqual([
      ["Find the server", true],
      ["Reach it", true],
      ["Sign in", true],
      ["Encryption", true],
    ]);
    expect(await list(rep)).toEqual([]);

    const { id } = (await create(rep, given)).json();
    const { password: _, ...rest } = given;
    expect((await check(rep, { kind: "sip-trunk", settings: rest, id })).json().at(-1)).toMatchObject({ ok: true });
    const untold = await check(rep, { kind: "sip-trunk", settings: rest });
    expect(untold.json().errors).toEqual([{ field: "settings.password", message: "Enter the password." }]);
    const wrong = { ...rest, password: "wrong" };
    expect((await check(rep, { kind: "sip-trunk", settings: wrong })).json().at(-1)).toEqual({
      what: "Sign in",
      ok: false,
      sentence: `127.0.0.1:${registrar} rejected our registration. Check the user and the password.`,
    });
    const stranger = await newRep(app);
    expect((await check(stranger, { kind: "sip-trunk", settings: rest, id })).statusCode).toBe(404);
  });

  test("tests a carrier with a fixed port while it carries calls, and says why changes must be saved first", async () => {
    const rep = await newRep(app);
    const given = { ...settings(), authentication: "register", localPort: await freePort() };
    const { id } = (await create(rep, given)).json();
    const { password: _, ...rest } = given;
    await expect.poll(async () => (await list(rep))[0]?.state.level).toBe("working");
    const checked = (await check(rep, { kind: "sip-trunk", settings: rest, id })).json();
    expect(checked.map(({ what, ok }: { what: string; ok: boolean }) => [what, ok])).toEqual([
      ["Find the server", true],
      ["Reach it", true],
      ["Sign in", true],
      ["Encryption", true],
    ]);
    const changed = (await check(rep, { kind: "sip-trunk", settings: { ...rest, keys: "info" }, id })).json();
    expect(changed).toEqual([
      { what: "Open", ok: false, sentence: expect.stringContaining("save your changes before you test") },
    ]);
  });
});

test("a request in flight while the organisation is deleted connects no carrier", async () => {
  const rep = await newRep(app);
  await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
    tx
      .updateTable("organisations")
      .set({ deleted_at: sql<string>`clock_timestamp()` })
      .where("id", "=", rep.organisationId)
      .execute(),
  );
  expect((await create(rep)).statusCode).toBe(404);
  expect(await list(rep)).toEqual([]);
});
