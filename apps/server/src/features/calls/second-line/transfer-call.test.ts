import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import type { Call } from "@leadline/contract/calls";
import type { TransferStatus } from "@leadline/contract/call-transfer";
import { describe, expect, test, vi } from "vitest";
import { puppets, stringed, untransferring } from "../../../testing/puppet-carrier.ts";
import { joinOrganisation, registerPerson, type TestPerson } from "../../../testing/test-app.ts";
import { dial, newRep, readCall, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const app = testAppWithCalls([sandbox, stringed, untransferring]);
const speaking = "+12025550100";
const echo = "+12025550101";
const busy = "+12025550103";

const transfer = (by: TestPerson, callSid: string, phoneNumber: string, leadId?: string) =>
  app.ask("POST", `/v1/calls/${callSid}/transfer`, { token: by.token, body: { phoneNumber, leadId } });
const hangUp = async (by: TestPerson, callSid: string): Promise<Call> =>
  (await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: by.token })).json();

async function talk(by: TestPerson): Promise<string> {
  const callSid = await dial(app, by, echo);
  await waitForStatus(app, by, { callSid, status: "in-progress" });
  return callSid;
}

/** A person in an answered call through that carrier. */
async function talkThrough(kind: string) {
  const rep = await newRep(app);
  const body = { kind, label: "Line", settings: { line: "1" } };
  expect((await app.ask("POST", "/v1/carriers", { token: rep.token, body })).statusCode).toBe(201);
  const callSid = await talk(rep);
  const puppet = puppets.get(callSid);
  if (!puppet) throw new Error("the call went through another carrier");
  return { rep, callSid, puppet };
}

const waitForTransfer = (by: TestPerson, callSid: string, status: TransferStatus): Promise<Call> =>
  vi.waitFor(
    async () => {
      const call = await readCall(app, by, callSid);
      expect(call.transfer?.status).toBe(status);
      return call;
    },
    { interval: 100 },
  );

async function addColleague(organisationId: string): Promise<TestPerson> {
  const colleague = await registerPerson(app);
  await joinOrganisation(app, colleague, { organisationId, role: "member" });
  return colleague;
}

describe("a transfer", () => {
  test("that succeeds ends the call as transferred, and the log shows where it went", async () => {
    const rep = await newRep(app);
    const callSid = await talk(rep);
    const asked = await transfer(rep, callSid, "(202) 555-0100");
    expect([asked.statusCode, asked.json()]).toMatchObject([
      200,
      { status: "in-progress", held: false, transfer: { phoneNumber: speaking, refusal: null, sip: null } },
    ]);
    const ended = await waitForStatus(app, rep, { callSid, status: "completed" });
    expect(ended).toMatchObject({
      cause: { reason: "transferred", sip: 200, q850: 16 },
      transfer: { phoneNumber: speaking, status: "taken", refusal: null },
    });
    expect((await app.ask("GET", "/v1/calls", { token: rep.token })).json()).toEqual([ended]);
    expect((await transfer(rep, callSid, busy)).json().type).toBe("/api/docs#call-ended");
  });

  test("ignores a late report about the previous transfer, during and after the call", async () => {
    const { rep, callSid, puppet } = await talkThrough("stringed");
    await transfer(rep, callSid, speaking);
    await vi.waitFor(() => expect(puppet.sentTo).toHaveLength(1));
    const sayOfFirst = puppet.say;
    sayOfFirst({ type: "refused", why: { reason: "busy", sip: 486 } });
    await waitForTransfer(rep, callSid, "refused");
    await transfer(rep, callSid, busy);
    await vi.waitFor(() => expect(puppet.sentTo).toHaveLength(2));
    sayOfFirst({ type: "taken" });
    puppet.say({ type: "ringing" });
    expect(await waitForTransfer(rep, callSid, "ringing")).toMatchObject({ status: "in-progress" });
    await hangUp(rep, callSid);
    sayOfFirst({ type: "refused", why: { reason: "busy", sip: 486 } });
    puppet.say({ type: "taken" });
    expect(await waitForTransfer(rep, callSid, "taken")).toMatchObject({ transfer: { phoneNumber: busy } });
  });

  test("that is refused leaves the call as it was, with the reason, and another can follow", async () => {
    const rep = await newRep(app);
    const callSid = await talk(rep);
    expect((await transfer(rep, callSid, busy)).statusCode).toBe(200);
    const refused = await waitForTransfer(rep, callSid, "refused");
    expect(refused).toMatchObject({ status: "in-progress", transfer: { refusal: "busy", sip: 486 } });
    const hold = { token: rep.token, body: { held: true } };
    expect((await app.ask("PATCH", `/v1/calls/${callSid}`, hold)).json()).toMatchObject({ held: true });
    expect((await transfer(rep, callSid, speaking)).statusCode).toBe(200);
    const ended = await waitForStatus(app, rep, { callSid, status: "completed" });
    expect(ended.transfer).toMatchObject({ phoneNumber: speaking, status: "taken", refusal: null, sip: null });
  });

  test("holds the far end while it lasts, and keeps a far end on hold that was before", async () => {
    const { rep, callSid, puppet } = await talkThrough("stringed");
    const refuse = async (): Promise<void> => {
      expect((await transfer(rep, callSid, speaking)).statusCode).toBe(200);
      await vi.waitFor(() => expect(puppet.sentTo).toHaveLength(1));
      puppet.sentTo.length = 0;
      puppet.say({ type: "refused", why: { reason: "transfer-refused", sip: 603 } });
      await waitForTransfer(rep, callSid, "refused");
    };
    await refuse();
    expect(puppet.holds).toEqual([true, false]);
    await app.ask("PATCH", `/v1/calls/${callSid}`, { token: rep.token, body: { held: true } });
    await refuse();
    expect(puppet.holds).toEqual([true, false, true]);
    expect(await hangUp(rep, callSid)).toMatchObject({ transfer: { status: "refused", refusal: "transfer-refused" } });
  });

  test("that fails keeps a hold that the person set a moment before", async () => {
    const { rep, callSid, puppet } = await talkThrough("stringed");
    const { promise, resolve } = Promise.withResolvers<void>();
    puppet.holding = promise;
    const held = app.ask("PATCH", `/v1/calls/${callSid}`, { token: rep.token, body: { held: true } });
    await vi.waitFor(() => expect(puppet.holds).toEqual([true]));
    await transfer(rep, callSid, speaking);
    resolve();
    expect((await held).json()).toMatchObject({ held: true });
    await vi.waitFor(() => expect(puppet.sentTo).toHaveLength(1));
    puppet.say({ type: "refused", why: { reason: "busy", sip: 486 } });
    expect(await waitForTransfer(rep, callSid, "refused")).toMatchObject({ held: true });
    expect(puppet.holds).toEqual([true, true]);
    await hangUp(rep, callSid);
  });

  test("shows its target: the lead that was chosen, otherwise the leads with the number", async () => {
    const rep = await newRep(app);
    const addLead = async (firstName: string): Promise<string> => {
      const body = { firstName, lastName: "Byron", email: `${firstName}@example.com`, phone: busy };
      return (await app.ask("POST", "/v1/leads", { token: rep.token, body })).json().id;
    };
    await addLead("Anne");
    const ada = await addLead("Ada");
    const callSid = await talk(rep);
    expect((await transfer(rep, callSid, busy, ada)).statusCode).toBe(200);
    expect((await waitForTransfer(rep, callSid, "refused")).transfer?.leads).toMatchObject([{ id: ada }]);
    await transfer(rep, callSid, busy);
    const { transfer: unnamed } = await waitForTransfer(rep, callSid, "refused");
    expect(unnamed?.leads.map(({ firstName }) => firstName)).toEqual(["Ada", "Anne"]);
    const other = await newRep(app);
    const elsewhere = await talk(other);
    expect((await transfer(other, elsewhere, busy, ada)).json().type).toBe("/api/docs#not-found");
    expect(await hangUp(other, elsewhere)).toMatchObject({ transfer: null });
    await app.ask("DELETE", `/v1/leads/${ada}`, { token: rep.token });
    expect((await hangUp(rep, callSid)).transfer).toMatchObject({ leads: [{ firstName: "Anne" }] });
  });

  test("allows only one at a time, and no hold or resume meanwhile", async () => {
    const { rep, callSid, puppet } = await talkThrough("stringed");
    const answers = await Promise.all([1, 2, 3].map(() => transfer(rep, callSid, speaking)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409]);
    const held = await app.ask("PATCH", `/v1/calls/${callSid}`, { token: rep.token, body: { held: false } });
    for (const refused of [held, ...answers.filter(({ statusCode }) => statusCode === 409)])
      expect(refused.json()).toMatchObject({
        type: "/api/docs#transfer-in-progress",
        detail: "This call is being transferred. Wait until the transfer finishes.",
      });
    await vi.waitFor(() => expect(puppet.sentTo).toEqual([speaking]));
    await hangUp(rep, callSid);
  });

  test("without a final report has an unknown outcome, until a late report shows it succeeded", async () => {
    const { rep, callSid, puppet } = await talkThrough("stringed");
    await transfer(rep, callSid, speaking);
    await vi.waitFor(() => expect(puppet.sentTo).toHaveLength(1));
    puppet.say({ type: "unknown" });
    expect((await waitForTransfer(rep, callSid, "unknown")).status).toBe("in-progress");
    await vi.waitFor(() => expect(puppet.holds).toEqual([true, false]));
    puppet.say({ type: "taken" });
    const ended = await waitForStatus(app, rep, { callSid, status: "completed" });
    expect(ended).toMatchObject({ cause: { reason: "transferred" }, transfer: { status: "taken" } });
  });

  test("ends with the call, whichever side hangs up before its outcome, and is corrected by a late report", async () => {
    const here = await talkThrough("stringed");
    await transfer(here.rep, here.callSid, speaking);
    await vi.waitFor(() => expect(here.puppet.sentTo).toHaveLength(1));
    expect(await hangUp(here.rep, here.callSid)).toMatchObject({
      cause: { reason: "hung-up-here" },
      transfer: { status: "unknown" },
    });
    // The rep hung up before the far end was asked, so it went nowhere.
    const early = await talkThrough("stringed");
    const { promise: never } = Promise.withResolvers<void>();
    early.puppet.holding = never;
    await transfer(early.rep, early.callSid, speaking);
    expect(await hangUp(early.rep, early.callSid)).toMatchObject({ transfer: { status: "refused" } });
    const there = await talkThrough("stringed");
    await transfer(there.rep, there.callSid, speaking);
    await vi.waitFor(() => expect(there.puppet.sentTo).toHaveLength(1));
    there.puppet.say({ type: "ringing" });
    await waitForTransfer(there.rep, there.callSid, "ringing");
    there.puppet.emit({ type: "ended", cause: { reason: "hung-up-there", sip: 200, q850: 16 } });
    const ended = await waitForStatus(app, there.rep, { callSid: there.callSid, status: "completed" });
    expect(ended).toMatchObject({ cause: { reason: "hung-up-there" }, transfer: { status: "unknown" } });
    // The far end has left us, and the carrier may still report.
    there.puppet.say({ type: "taken" });
    const known = await waitForTransfer(there.rep, there.callSid, "taken");
    const { revision, transfer: taken } = known;
    expect({ ...ended, revision, transfer: taken }).toEqual(known);
    expect(revision).toBeGreaterThan(ended.revision);
  });

  test("needs an answered call, the person who is in it, and a carrier that can transfer", async () => {
    const rep = await newRep(app);
    const ringing = await dial(app, rep, "+12025550104");
    expect((await transfer(rep, ringing, speaking)).json().detail).toBe("You can transfer a call once it’s answered.");
    await hangUp(rep, ringing);
    const callSid = await talk(rep);
    const colleague = await addColleague(rep.organisationId);
    expect((await transfer(colleague, callSid, speaking)).statusCode).toBe(404);
    expect(await hangUp(rep, callSid)).toMatchObject({ canTransfer: true, transfer: null });
    const other = await talkThrough("untransferring");
    expect((await transfer(other.rep, other.callSid, speaking)).json()).toMatchObject({
      type: "/api/docs#not-supported",
      detail: "Your carrier doesn’t support transfers.",
    });
    expect(await hangUp(other.rep, other.callSid)).toMatchObject({ canTransfer: false, transfer: null });
  });
});

describe("the target number of a transfer", () => {
  test("is refused with the same errors as a call to it", async () => {
    const rep = await newRep(app);
    const colleague = await addColleague(rep.organisationId);
    const doNotCall = "+12025550199";
    await app.ask("POST", "/v1/do-not-call", { token: rep.token, body: { phoneNumber: doNotCall } });
    const callSid = await talk(rep);
    for (const number of ["12", "911", "+4930901820", "+19005550123", "+881612345678", doNotCall]) {
      const body = { phoneNumber: number };
      const called = await app.ask("POST", "/v1/calls", { token: colleague.token, body });
      const sent = await transfer(rep, callSid, number);
      expect({ number, isRefused: sent.statusCode >= 400 }).toEqual({ number, isRefused: true });
      expect({ number, refused: sent.json() }).toEqual({ number, refused: called.json() });
    }
    expect((await transfer(rep, callSid, "")).statusCode).toBe(422);
    expect(await hangUp(rep, callSid)).toMatchObject({ status: "completed", transfer: null });
  });

  test("can't be the far end's own number, nor can that be called on the second line", async () => {
    const rep = await newRep(app);
    const callSid = await talk(rep);
    const consulted = app.ask("POST", `/v1/calls/${callSid}/consultation`, {
      token: rep.token,
      body: { phoneNumber: echo },
    });
    for (const refused of [await transfer(rep, callSid, "(202) 555-0101"), await consulted])
      expect(refused.json()).toMatchObject({
        type: "/api/docs#own-number",
        detail: "That’s the number you called. Choose someone else.",
      });
    expect(await hangUp(rep, callSid)).toMatchObject({ held: false, transfer: null });
  });

  test("counts as one more call of the minute, even if the transfer fails", async () => {
    const rep = await newRep(app);
    await app.ask("PUT", "/v1/limits", { token: rep.token, body: { callsPerMinute: 2 } });
    const callSid = await talk(rep);
    await transfer(rep, callSid, busy);
    await waitForTransfer(rep, callSid, "refused");
    const limits = await app.ask("GET", "/v1/limits", { token: rep.token });
    expect(limits.json().used).toMatchObject({ concurrentCalls: 1, callsPerMinute: 2 });
    const refused = await transfer(rep, callSid, speaking);
    expect([refused.statusCode, refused.headers["retry-after"], refused.json().detail]).toEqual([
      429,
      "60",
      expect.stringContaining("has reached its limit of 2 calls a minute"),
    ]);
    expect(await hangUp(rep, callSid)).toMatchObject({ transfer: { phoneNumber: busy, status: "refused" } });
  });

  test("isn't called once the day's spending is used up", async () => {
    const rep = await newRep(app);
    const callSid = await talk(rep);
    await app.ask("PUT", "/v1/limits", { token: rep.token, body: { dailySpend: 0 } });
    const refused = await transfer(rep, callSid, speaking);
    expect([refused.statusCode, refused.json().detail]).toEqual([
      429,
      "Your organisation’s daily spending limit is $0, which blocks all calls. An admin can raise it under Settings, Limits.",
    ]);
    await hangUp(rep, callSid);
  });
});
