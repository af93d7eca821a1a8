import { randomInt } from "node:crypto";
import type { CarrierModule, DialRequest } from "@leadline/adapter-kit/carrier";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import { type Received, startRawPeer } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import type { CallerIds } from "@leadline/contract/caller-ids";
import { expect, onTestFinished, test, vi } from "vitest";
import { carrierModules } from "../../adapters.ts";
import { joinOrganisation, registerPerson, type TestPerson } from "../../testing/test-app.ts";
import { dial, newRep, readCall, type Rep, testAppWithCalls, waitForStatus } from "../../testing/test-calls.ts";

/** The caller ID that the sandbox was asked to show, by callSid. */
const shown = new Map<string, string | null>();
const noting: CarrierModule<typeof sandbox.settings> = {
  ...sandbox,
  async open(settings, listener) {
    const inner = await sandbox.open(settings, listener);
    return {
      ...inner,
      dial(request: DialRequest) {
        shown.set(request.callSid, request.callerId);
        return inner.dial(request);
      },
    };
  },
};
const app = testAppWithCalls(carrierModules.map((module) => (module.id === sandbox.id ? noting : module)));

const read = async (person: TestPerson, to = ""): Promise<CallerIds> => {
  const query = new URLSearchParams({ phoneNumber: to });
  return (await app.ask("GET", `/v1/caller-ids?${query}`, { token: person.token })).json();
};
const choose = (person: TestPerson, number: string | null) =>
  app.ask("PUT", "/v1/caller-ids/default", { token: person.token, body: { number } });
const setLocal = (person: TestPerson, enabled: boolean) =>
  app.ask("PUT", "/v1/caller-ids/local-presence", { token: person.token, body: { enabled } });
const start = (person: TestPerson, phoneNumber: string, callerId?: string) =>
  app.ask("POST", "/v1/calls", { token: person.token, body: { phoneNumber, ...(callerId && { callerId }) } });

/** The caller ID shown to the callee of a new call. */
async function shownTo(person: TestPerson, phoneNumber: string, callerId?: string): Promise<string | null | undefined> {
  const started = await start(person, phoneNumber, callerId);
  expect(started.statusCode).toBe(201);
  const { callSid } = started.json();
  const hungUp = await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: person.token });
  expect(hungUp.json().shownNumber).toBe(shown.get(callSid));
  return shown.get(callSid);
}

/** Retries, because another suite may buy the same number first. */
async function buyIn(rep: Rep, areaCode: string): Promise<string> {
  const query = new URLSearchParams({ countryCode: "US", query: areaCode });
  const found = (await app.ask("GET", `/v1/phone-numbers/available?${query}`, { token: rep.token })).json();
  for (const { number } of found) {
    const bought = await app.ask("POST", "/v1/phone-numbers", { token: rep.token, body: { number } });
    if (bought.statusCode === 201) return number;
  }
  throw new Error(`No number in ${areaCode} could be bought.`);
}

async function newColleague(rep: Rep): Promise<TestPerson> {
  const person = await registerPerson(app);
  await joinOrganisation(app, person, { organisationId: rep.organisationId, role: "member" });
  return person;
}

test("a call shows the number chosen for it, else the member's default, else the organisation's", async () => {
  const rep = await newRep(app);
  const [first, second, third] = [await buyIn(rep, "212"), await buyIn(rep, "312"), await buyIn(rep, "415")];
  const callee = "+12025550103";
  expect((await read(rep)).numbers.map(({ number }) => number)).toEqual([first, second, third]);
  expect(await read(rep, callee)).toMatchObject({ automatic: { number: first, reason: "organisation-default" } });
  expect(await shownTo(rep, callee)).toBe(first);
  expect((await choose(rep, second)).json()).toMatchObject({
    memberDefault: second,
    automatic: { number: second, reason: "member-default" },
  });
  expect(await shownTo(rep, callee)).toBe(second);
  expect(await shownTo(rep, callee, third)).toBe(third);
  // A default applies only to its member.
  const colleague = await newColleague(rep);
  expect(await shownTo(colleague, callee)).toBe(first);
  expect((await choose(rep, null)).json()).toMatchObject({ memberDefault: null });
  expect(await shownTo(rep, callee)).toBe(first);
});

test("with local presence, a call shows the owned number with the callee's area code", async () => {
  const rep = await newRep(app);
  const [newYork, chicago] = [await buyIn(rep, "212"), await buyIn(rep, "312")];
  const inChicago = "+13125550103";
  const colleague = await newColleague(rep);
  expect((await setLocal(colleague, true)).statusCode).toBe(403);
  expect(await shownTo(rep, inChicago)).toBe(newYork);
  expect((await setLocal(rep, true)).json()).toMatchObject({ localPresence: true });
  expect(await read(colleague, inChicago)).toMatchObject({
    localPresence: true,
    automatic: { number: chicago, reason: "local-presence" },
  });
  expect(await shownTo(colleague, inChicago)).toBe(chicago);
  expect(await shownTo(rep, "+12025550103")).toBe(newYork);
});

test("a number that the organisation doesn't own is refused, for a call and as a default, and nothing is dialled", async () => {
  const [rep, stranger] = [await newRep(app), await newRep(app)];
  const theirs = await buyIn(stranger, "305");
  await buyIn(rep, "212");
  const refused = await start(rep, "+12025550103", theirs);
  expect(refused.json()).toMatchObject({ status: 422, errors: [{ field: "callerId" }] });
  expect((await app.ask("GET", "/v1/calls", { token: rep.token })).json()).toEqual([]);
  expect((await choose(rep, theirs)).json()).toMatchObject({ status: 422, errors: [{ field: "number" }] });
  expect(await read(rep)).toMatchObject({ memberDefault: null });
});

test("a default that was released is skipped", async () => {
  const rep = await newRep(app);
  const [first, second] = [await buyIn(rep, "212"), await buyIn(rep, "312")];
  await choose(rep, second);
  const owned = (await app.ask("GET", "/v1/phone-numbers", { token: rep.token })).json();
  const { id } = owned.find(({ number }: { number: string }) => number === second);
  expect((await app.ask("DELETE", `/v1/phone-numbers/${id}`, { token: rep.token })).statusCode).toBe(204);
  expect(await read(rep)).toMatchObject({ automatic: { number: first, reason: "organisation-default" } });
  expect(await shownTo(rep, "+12025550103")).toBe(first);
});

test("a call on the second line shows the number chosen for it, and one that isn't the organisation's is refused", async () => {
  const [rep, stranger] = [await newRep(app), await newRep(app)];
  const [first, second, theirs] = [await buyIn(rep, "212"), await buyIn(rep, "312"), await buyIn(stranger, "305")];
  const callSid = await dial(app, rep, "+12025550100");
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  const consult = (callerId: string) =>
    app.ask("POST", `/v1/calls/${callSid}/consultation`, {
      token: rep.token,
      body: { phoneNumber: "+12025550101", callerId },
    });
  expect((await consult(theirs)).json()).toMatchObject({ status: 422, errors: [{ field: "callerId" }] });
  expect(await readCall(app, rep, callSid)).toMatchObject({ held: false, shownNumber: first });
  const { callSid: other } = (await consult(second)).json();
  expect(await readCall(app, rep, other)).toMatchObject({ line: 2, shownNumber: second });
  expect(shown.get(other)).toBe(second);
  for (const each of [other, callSid]) await app.ask("POST", `/v1/calls/${each}/hang-up`, { token: rep.token });
});

/** A PBX in the operator's own network with these numbers. Only the last connected one is in use. */
async function connectPbx(rep: Rep, host: string, numbers: readonly string[]) {
  const peer = await startRawPeer({ host });
  onTestFinished(() => peer.close());
  const settings = { host: `${peer.host}:${peer.port}`, transport: "udp", authentication: "ip", numbers };
  const body = { kind: "sip-trunk", label: "PBX", settings };
  const made = await app.ask("POST", "/v1/carriers", { token: rep.token, body });
  expect(made.statusCode).toBe(201);
  const known = new Set<string | undefined>();
  return {
    peer,
    id: made.json().id,
    /** Of the next call: on a slow machine, the INVITE of the previous one may have been retransmitted. */
    async nextInvite(): Promise<Received> {
      const invite = await peer.next(({ what, header }) => what === "INVITE" && !known.has(header("call-id")));
      known.add(invite.header("call-id"));
      return invite;
    },
  };
}
const newNumber = (): string => `+1202${randomInt(2_000_000, 10_000_000)}`;
const untilEnded = (rep: Rep) =>
  vi.waitFor(async () => {
    expect((await app.ask("GET", "/v1/calls?live=true", { token: rep.token })).json()).toEqual([]);
  });

test("through a PBX in the operator's own network, each of its numbers can be chosen", async () => {
  const rep = await newRep(app);
  await buyIn(rep, "212");
  const [own, other] = [newNumber(), newNumber()];
  const { peer, nextInvite } = await connectPbx(rep, "127.0.0.1", [own, other]);
  const known = await read(rep);
  expect(known.numbers.map(({ number }) => number)).toEqual([own, other]);
  expect(known.automatic).toEqual({ number: own, reason: "organisation-default" });
  for (const chosen of [undefined, other]) {
    const inviting = nextInvite();
    expect((await start(rep, "+12025550103", chosen)).statusCode).toBe(201);
    const invite = await inviting;
    expect(invite.header("from")).toContain(chosen ?? own);
    peer.reply(invite, "486 Busy Here");
    await untilEnded(rep);
  }
});

test("the next carrier shows the same number if it can, otherwise its own", async () => {
  const rep = await newRep(app);
  const [ofFirst, ofBoth, ofSecond] = [newNumber(), newNumber(), newNumber()];
  const first = await connectPbx(rep, "127.0.0.1", [ofFirst, ofBoth]);
  const second = await connectPbx(rep, "127.0.0.2", [ofSecond, ofBoth]);
  const ids = [first.id, second.id];
  expect((await app.ask("PUT", "/v1/carriers/order", { token: rep.token, body: { ids } })).statusCode).toBe(200);
  for (const [chosen, next] of [
    [ofBoth, ofBoth],
    [ofFirst, ofSecond],
  ]) {
    const inviting = [first.nextInvite(), second.nextInvite()] as const;
    const { callSid } = (await start(rep, "+12025550103", chosen)).json();
    const atFirst = await inviting[0];
    expect(atFirst.header("from")).toContain(chosen);
    first.peer.reply(atFirst, "503 Service Unavailable");
    const atSecond = await inviting[1];
    expect(atSecond.header("from")).toContain(next);
    second.peer.reply(atSecond, "486 Busy Here");
    await untilEnded(rep);
    expect((await readCall(app, rep, callSid)).shownNumber).toBe(next);
  }
});
