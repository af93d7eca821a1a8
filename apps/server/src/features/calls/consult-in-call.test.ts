import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import type { Call } from "@leadline/contract/calls";
import { describe, expect, test, vi } from "vitest";
import { openTestBrowser } from "../../media-plane/test-browser.ts";
import { puppets, stringed } from "../../testing/puppet-carrier.ts";
import type { TestPerson } from "../../testing/test-app.ts";
import { dial, newRep, readCall, type Rep, testAppWithCalls, waitForStatus } from "../../testing/test-calls.ts";

const app = testAppWithCalls([sandbox, stringed]);
const speaking = "+12025550100";
const echo = "+12025550101";
const busy = "+12025550103";
const ringing = "+12025550104";
const centsAMinute = 20_000;

const post = (by: TestPerson, callSid: string, verb: string, body?: object) =>
  app.ask("POST", `/v1/calls/${callSid}/${verb}`, { token: by.token, ...(body && { body }) });
const join = (by: TestPerson, callSid: string) => app.ask("POST", `/v1/calls/${callSid}/join`, { token: by.token });
const complete = (by: TestPerson, callSid: string) =>
  app.ask("POST", `/v1/calls/${callSid}/complete-transfer`, { token: by.token });
const change = (by: TestPerson, callSid: string, body: object) =>
  app.ask("PATCH", `/v1/calls/${callSid}`, { token: by.token, body });
const consult = (by: TestPerson, callSid: string, phoneNumber: string) =>
  app.ask("POST", `/v1/calls/${callSid}/consultation`, { token: by.token, body: { phoneNumber } });
const hangUp = async (by: TestPerson, callSid: string): Promise<Call> => (await post(by, callSid, "hang-up")).json();

async function talk(rep: Rep): Promise<string> {
  const callSid = await dial(app, rep, speaking);
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  return callSid;
}

/** Until the call is as told. */
const waitFor = (by: TestPerson, callSid: string, wanted: Partial<Call>): Promise<Call> =>
  vi.waitFor(
    async () => {
      const call = await readCall(app, by, callSid);
      expect(call).toMatchObject(wanted);
      return call;
    },
    { timeout: 10_000, interval: 25 },
  );

/** Somebody who talks on the first line, and on the second with somebody else whom they have just called. */
async function consulting(kind: "sandbox" | "stringed" = "stringed") {
  const rep = await newRep(app);
  if (kind === "stringed") {
    const settings = { line: "1" };
    const body = { kind, label: "Line", settings, pricePerMinute: centsAMinute };
    await app.ask("POST", "/v1/carriers", { token: rep.token, body });
  }
  const first = await talk(rep);
  const asked = await consult(rep, first, echo);
  expect(asked.statusCode).toBe(201);
  const second: string = asked.json().callSid;
  await waitForStatus(app, rep, { callSid: second, status: "in-progress" });
  const end = (callSid: string): void =>
    puppets.get(callSid)?.tell({ type: "ended", cause: { reason: "hung-up-there", sip: 200, q850: 16 } });
  return { rep, first, second, end, puppet: (callSid: string) => puppets.get(callSid) };
}

describe("a consultation", () => {
  test("is a call of its own beside one that waits, and a third is not begun", async () => {
    const { rep, first, second, puppet } = await consulting();
    const calls: Call[] = (await app.ask("GET", "/v1/calls?live=true", { token: rep.token })).json();
    expect(calls).toMatchObject([
      { callSid: second, phoneNumber: echo, line: 2, held: false, joinedWith: null, direction: "outbound" },
      { callSid: first, phoneNumber: speaking, line: 1, held: true, joinedWith: null, transfer: null },
    ]);
    expect(puppet(first)?.holds).toEqual([true]);
    for (const callSid of [first, second])
      expect((await consult(rep, callSid, busy)).json()).toMatchObject({
        type: "/api/docs#call-in-progress",
        detail: "You are in two calls already. Hang up one of them first.",
      });
    const third = await app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber: busy } });
    expect(third.json().type).toBe("/api/docs#call-in-progress");
    const blind = await post(rep, second, "transfer", { phoneNumber: busy });
    expect(blind.json().detail).toBe("You are in two calls. Transfer one to the other, or hang up one of them first.");
    const used = (await app.ask("GET", "/v1/limits", { token: rep.token })).json().used;
    expect(used).toEqual({ concurrentCalls: 2, callsPerMinute: 2, dailySpend: 2 * centsAMinute });
    await hangUp(rep, first);
    await hangUp(rep, second);
  });

  test("lets the rep swap between the two, one of whom always waits, and mutes them on both lines", async () => {
    const { rep, first, second, puppet } = await consulting();
    expect((await change(rep, first, { held: false })).json()).toMatchObject({ held: false });
    expect(await readCall(app, rep, second)).toMatchObject({ held: true });
    expect([puppet(first)?.holds, puppet(second)?.holds]).toEqual([[true, false], [true]]);
    await change(rep, second, { held: false });
    expect(await readCall(app, rep, first)).toMatchObject({ held: true });
    await change(rep, second, { muted: true });
    expect(await readCall(app, rep, first)).toMatchObject({ muted: true });
    expect((await change(rep, second, { silenced: true })).json().detail).toBe(
      "They can be kept from being heard in a conference only.",
    );
    await hangUp(rep, second);
    await hangUp(rep, first);
  });

  test("that is given up, is busy or ends there brings the first back off hold, and another may follow", async () => {
    const { rep, first, second, puppet, end } = await consulting();
    expect(await hangUp(rep, second)).toMatchObject({ cause: { reason: "hung-up-here" }, line: null });
    await waitFor(rep, first, { held: false, line: 1 });
    const refused: string = (await consult(rep, first, busy)).json().callSid;
    expect(await waitForStatus(app, rep, { callSid: refused, status: "busy" })).toMatchObject({ costMicros: 0 });
    await waitFor(rep, first, { held: false });
    const third: string = (await consult(rep, first, echo)).json().callSid;
    await waitForStatus(app, rep, { callSid: third, status: "in-progress" });
    end(third);
    await waitFor(rep, first, { held: false });
    expect(puppet(first)?.holds).toEqual([true, false, true, false, true, false]);
    await hangUp(rep, first);
  });

  test("goes on where the first hangs up, takes its line, and is consulted about in turn", async () => {
    const { rep, first, second, end } = await consulting();
    await change(rep, first, { held: false });
    end(first);
    await waitForStatus(app, rep, { callSid: first, status: "completed" });
    await waitFor(rep, second, { line: 1, held: false });
    const third: string = (await consult(rep, second, speaking)).json().callSid;
    await waitFor(rep, third, { status: "in-progress", line: 2 });
    expect(await waitFor(rep, second, { held: true })).toMatchObject({ line: 1 });
    await hangUp(rep, second);
    await hangUp(rep, third);
  });

  test("is refused as a call is, and leaves the first as it was", async () => {
    const rep = await newRep(app);
    const doNotCall = "+12025550199";
    await app.ask("POST", "/v1/do-not-call", { token: rep.token, body: { phoneNumber: doNotCall } });
    const rings = await dial(app, rep, ringing);
    expect((await consult(rep, rings, echo)).json().detail).toBe(
      "Somebody else can be called beside a call once it is answered.",
    );
    await hangUp(rep, rings);
    const callSid = await talk(rep);
    for (const [number, problem] of [
      ["911", "phone-number-invalid"],
      ["+4930901820", "country-not-allowed"],
      ["+19005550123", "number-blocked"],
      [doNotCall, "do-not-call"],
    ] as const)
      expect({ number, type: (await consult(rep, callSid, number)).json().type }).toEqual({
        number,
        type: `/api/docs#${problem}`,
      });
    const stranger = await newRep(app);
    const lead = { firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+12025550101" };
    const { id: leadId } = (await app.ask("POST", "/v1/leads", { token: stranger.token, body: lead })).json();
    const foreign = await post(rep, callSid, "consultation", { phoneNumber: echo, leadId });
    expect([typeof leadId, foreign.statusCode]).toEqual(["string", 404]);
    await app.ask("PUT", "/v1/limits", { token: rep.token, body: { concurrentCalls: 1 } });
    expect((await consult(rep, callSid, echo)).json().type).toBe("/api/docs#limit-reached");
    expect(await readCall(app, rep, callSid)).toMatchObject({ status: "in-progress", held: false });
    await hangUp(rep, callSid);
  });

  test("brings the sound of both lines to the tab that asks for it, and tells of both where that has gone", async () => {
    const { rep, first, second } = await consulting("sandbox");
    const browser = await openTestBrowser();
    const { mediaConnectionId } = (await post(rep, second, "media", { offer: browser.offer })).json();
    for (const callSid of [first, second])
      expect(await readCall(app, rep, callSid)).toMatchObject({ mediaConnectionId });
    await app.ask("DELETE", `/v1/media-connections/${mediaConnectionId}`, { token: rep.token });
    for (const callSid of [first, second])
      await waitFor(rep, callSid, { mediaConnectionId: null, status: "in-progress" });
    await browser.close();
    await hangUp(rep, second);
    await hangUp(rep, first);
  });
});

describe("an attended transfer", () => {
  test("leaves the two to each other, frees the rep, and is charged until one of the two hangs up", async () => {
    const { rep, first, second, puppet, end } = await consulting();
    const left = await complete(rep, second);
    expect([left.statusCode, left.json()]).toMatchObject([
      200,
      { callSid: second, line: null, held: false, joinedWith: { callSid: first, phoneNumber: speaking } },
    ]);
    expect(await readCall(app, rep, first)).toMatchObject({
      status: "in-progress",
      line: null,
      mediaConnectionId: null,
      held: false,
      joinedWith: { callSid: second, phoneNumber: echo },
      transfer: { phoneNumber: echo, attended: true, status: "taken" },
    });
    // The carrier is asked to do it without us, and will not.
    await vi.waitFor(() => expect(puppet(first)?.sentTo).toHaveLength(1));
    puppet(first)?.say({ type: "refused", why: { reason: "transfer-refused", sip: 603 } });
    for (const verb of ["transfer", "consultation"])
      expect((await post(rep, first, verb, { phoneNumber: echo })).json()).toMatchObject({
        type: "/api/docs#call-ended",
        detail: "You have left this call: they talk without you.",
      });
    const used = (await app.ask("GET", "/v1/limits", { token: rep.token })).json().used;
    // The transfer is no third call of the minute.
    expect(used).toMatchObject({ concurrentCalls: 2, callsPerMinute: 2 });
    const next = await talk(rep);
    await hangUp(rep, next);
    end(second);
    const ended = await Promise.all(
      [first, second].map((callSid) => waitForStatus(app, rep, { callSid, status: "completed" })),
    );
    for (const call of ended)
      expect(call).toMatchObject({ cause: { reason: "transferred" }, costMicros: centsAMinute, held: false });
    expect([puppet(first)?.hangUps, puppet(second)?.hangUps]).toEqual([1, 1]);
  });

  test("that the carrier takes on ends both calls, whichever it tells first", async () => {
    const byNotify = await consulting();
    await complete(byNotify.rep, byNotify.first);
    await vi.waitFor(() => expect(byNotify.puppet(byNotify.first)?.sentTo).toHaveLength(1));
    byNotify.puppet(byNotify.first)?.say({ type: "taken" });
    const bySandbox = await consulting("sandbox");
    await complete(bySandbox.rep, bySandbox.first);
    for (const { rep, first, second } of [byNotify, bySandbox])
      for (const callSid of [first, second])
        expect(await waitForStatus(app, rep, { callSid, status: "completed" })).toMatchObject({
          cause: { reason: "transferred" },
        });
  });

  test("waits until both are there", async () => {
    const { rep, first, second } = await consulting();
    await hangUp(rep, second);
    expect((await complete(rep, first)).json().detail).toBe("You are in no second call.");
    const rings: string = (await consult(rep, first, ringing)).json().callSid;
    for (const tooSoon of [complete, join])
      expect((await tooSoon(rep, first)).json()).toMatchObject({
        type: "/api/docs#not-supported",
        detail: "Wait until they answer.",
      });
    await hangUp(rep, rings);
    await hangUp(rep, first);
  });

  test("can be ended by who made it", async () => {
    const { rep, first, second } = await consulting();
    await complete(rep, first);
    expect(await hangUp(rep, second)).toMatchObject({ cause: { reason: "hung-up-here" } });
    await waitForStatus(app, rep, { callSid: first, status: "completed" });
  });
});

describe("a conference of three", () => {
  test("joins both, each of whom can be put on hold and silenced, and goes on with one where the other leaves", async () => {
    const { rep, first, second, end, puppet } = await consulting();
    expect((await join(rep, first)).json()).toMatchObject({
      callSid: first,
      line: 1,
      held: false,
      joinedWith: { callSid: second, phoneNumber: echo },
    });
    expect(await readCall(app, rep, second)).toMatchObject({ line: 2, joinedWith: { callSid: first } });
    expect((await change(rep, first, { held: true })).json()).toMatchObject({ held: true });
    expect((await change(rep, first, { held: false })).json()).toMatchObject({ held: false });
    expect(await readCall(app, rep, second)).toMatchObject({ held: false });
    expect((await change(rep, second, { silenced: true })).json()).toMatchObject({ silenced: true });
    expect(puppet(second)?.holds).toEqual([]);
    end(first);
    const ended = await waitForStatus(app, rep, { callSid: first, status: "completed" });
    expect(ended).toMatchObject({ cause: { reason: "hung-up-there" }, costMicros: centsAMinute });
    await waitFor(rep, second, { status: "in-progress", line: 1, joinedWith: null, silenced: false });
    expect(await hangUp(rep, second)).toMatchObject({ costMicros: centsAMinute });
    expect([puppet(first)?.hangUps, puppet(second)?.hangUps]).toEqual([1, 1]);
  });

  test("can be left to the two, as after a transfer", async () => {
    const { rep, first, second, end } = await consulting();
    await join(rep, second);
    await change(rep, second, { silenced: true });
    expect((await complete(rep, first)).statusCode).toBe(200);
    expect(await readCall(app, rep, second)).toMatchObject({ line: null, silenced: false, status: "in-progress" });
    end(first);
    await waitForStatus(app, rep, { callSid: second, status: "completed" });
  });
});
