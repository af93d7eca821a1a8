import { randomUUID } from "node:crypto";
import type { Call } from "@leadline/contract/calls";
import { beforeAll, describe, expect, test } from "vitest";
import { openEventStream } from "../../testing/open-event-stream.ts";
import { joinOrganisation, makeOrganisation, registerPerson, signIn } from "../../testing/test-app.ts";
import { dial, newRep, readCall, testAppWithCalls, waitForStatus, type Rep } from "../../testing/test-calls.ts";

const app = testAppWithCalls();
const speaking = "+12025550100";
const hangUp = (rep: Pick<Rep, "token">, callSid: string) =>
  app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });

describe("starting a call", () => {
  test("returns the callSid; the call is answered, timed and ended by hanging up", async () => {
    const rep = await newRep(app);
    const callSid = await dial(app, rep, "(202) 555-0100");
    expect(callSid).toMatch(/^CA[0-9a-f]{32}$/);
    const answered = await waitForStatus(app, rep, { callSid, status: "in-progress" });
    expect(answered).toMatchObject({
      phoneNumber: speaking,
      direction: "outbound",
      userName: "Robin Tester",
      durationMs: 0,
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const ended: Call = (await hangUp(rep, callSid)).json();
    expect(ended).toMatchObject({ status: "completed", cause: { reason: "hung-up-here", q850: 16 } });
    expect(ended.durationMs).toBeGreaterThan(290);
    expect(ended.durationMs).toBeLessThan(2000);
    expect((await hangUp(rep, callSid)).json()).toEqual(ended);
  });

  test("refuses an invalid phone number with a clear error, and stores no call", async () => {
    const rep = await newRep(app);
    for (const phoneNumber of ["12", "call me", "+1 202 555", "+18001000052"]) {
      const refused = await app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber } });
      expect(refused.statusCode).toBe(422);
      expect(refused.json().detail).toContain(phoneNumber);
    }
    expect((await app.ask("GET", "/v1/calls", { token: rep.token })).json()).toEqual([]);
  });

  test("refuses emergency numbers and says what to use instead", async () => {
    const rep = await newRep(app);
    for (const phoneNumber of ["911", "112", "999", "+1 911"]) {
      const refused = await app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber } });
      expect(refused.statusCode).toBe(422);
      expect(refused.json().detail).toBe("Leadline cannot call emergency numbers. Use a telephone.");
    }
  });

  test("allows one live call per person, however many requests arrive at once", async () => {
    const rep = await newRep(app);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber: speaking } }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, ...Array(7).fill(409)]);
    const calls: Call[] = (await app.ask("GET", "/v1/calls", { token: rep.token })).json();
    expect(calls).toHaveLength(1);
    await hangUp(rep, calls[0]?.callSid ?? "");
    await hangUp(rep, await dial(app, rep, speaking));
  });

  test("dials once for an idempotency key that is sent many times at once, and refuses the key for another number", async () => {
    const rep = await newRep(app);
    const headers = { "idempotency-key": randomUUID() };
    const send = (phoneNumber: string) =>
      app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber }, headers });
    const answers = await Promise.all([send(speaking), send(speaking), send(speaking)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.json().callSid)).size).toBe(1);
    const other = await send("+12025550101");
    expect(other.statusCode).toBe(409);
    expect(other.json().type).toContain("idempotency-key-reused");
    const { callSid } = answers[0].json();

    // A client that lost every response finds its call by the key. Nobody else can, and no other key matches.
    const find = async (token: string, key: string) =>
      (await app.ask("GET", `/v1/calls?live=true&idempotencyKey=${key}`, { token })).json();
    expect(await find(rep.token, headers["idempotency-key"])).toMatchObject([{ callSid }]);
    expect(await find(rep.token, randomUUID())).toEqual([]);
    const colleague = await registerPerson(app);
    await joinOrganisation(app, colleague, { organisationId: rep.organisationId, role: "admin" });
    expect(await find(colleague.token, headers["idempotency-key"])).toEqual([]);
    await hangUp(rep, callSid);
    expect(await find(rep.token, headers["idempotency-key"])).toEqual([]);
  });

  test("scopes idempotency keys to a person: a colleague's same key finds nothing", async () => {
    const [rep, colleague] = [await newRep(app), await registerPerson(app)];
    await joinOrganisation(app, colleague, { organisationId: rep.organisationId, role: "admin" });
    const headers = { "idempotency-key": randomUUID() };
    const send = ({ token }: { token: string }) =>
      app.ask("POST", "/v1/calls", { token, body: { phoneNumber: speaking }, headers });
    const { callSid } = (await send(rep)).json();
    const busyWith = await dial(app, colleague, speaking);
    expect((await send(colleague)).json()).toMatchObject({ status: 409, type: "/api/docs#call-in-progress" });
    await hangUp(colleague, busyWith);
    const own = await send(colleague);
    expect([own.statusCode, own.json().callSid === callSid]).toEqual([201, false]);
    await hangUp(rep, callSid);
    await hangUp(colleague, own.json().callSid);
  });

  test("needs an organisation", async () => {
    const person = await registerPerson(app);
    const refused = await app.ask("POST", "/v1/calls", { token: person.token, body: { phoneNumber: speaking } });
    expect(refused.statusCode).toBe(403);
    expect(refused.json().detail).toBe("You need to be part of an organisation to use this feature.");
  });

  test("refuses an offer without audio and an unknown connection, and leaves the person free to call", async () => {
    const rep = await newRep(app);
    const body = { phoneNumber: speaking };
    const badOffer = await app.ask("POST", "/v1/calls", { token: rep.token, body: { ...body, offer: "v=0" } });
    expect(badOffer.json()).toMatchObject({ status: 422, type: "/api/docs#sdp-not-usable" });
    const gone = { ...body, mediaConnectionId: randomUUID() };
    const refused = await app.ask("POST", "/v1/calls", { token: rep.token, body: gone });
    expect(refused.json()).toMatchObject({ status: 409, type: "/api/docs#media-connection-gone" });
    await hangUp(rep, await dial(app, rep, speaking));
  });
});

describe("the sandbox's callees", () => {
  const endings = [
    ["+12025550103", "busy", { reason: "busy", sip: 486, q850: 17 }, 0],
    ["+12025550105", "busy", { reason: "rejected", sip: 603, q850: 21 }, 0],
    ["+12025550106", "failed", { reason: "network-failure", sip: 503, q850: 38 }, 0],
    ["+12025550104", "no-answer", { reason: "no-answer", sip: 480, q850: 19 }, 0],
    ["+12025550109", "completed", { reason: "hung-up-there", sip: 200, q850: 16 }, 10],
  ] as const;
  let origin: string;
  beforeAll(async () => {
    origin = await app.http.listen({ port: 0, host: "127.0.0.1" });
  });
  test("a call ends when its person signs out everywhere, even if they sign in again at once", async () => {
    const person = await registerPerson(app);
    const other = await signIn(app, person);
    await makeOrganisation(app, person);
    const callSid = await dial(app, person, speaking);
    const logOut = (refreshToken: string) => app.ask("POST", "/v1/logout", { body: { refreshToken } });
    await logOut(other.refreshToken);
    await waitForStatus(app, person, { callSid, status: "in-progress" });
    const stream = await openEventStream(origin, person);
    await logOut(person.refreshToken);
    await stream.ended;
    const { token } = await signIn(app, person);
    const ended = await waitForStatus(app, { ...person, token }, { callSid, status: "completed", timeoutMs: 50_000 });
    expect(ended.cause?.reason).toBe("signed-out");
    // Sooner than the 15 s after which a call without a tab ends.
    expect(ended.durationMs).toBeLessThan(12_000);
  });
  test.concurrent.each(endings)("%s ends %s with its own cause", async (phoneNumber, status, cause, talkedSeconds) => {
    const rep = await newRep(app);
    // An unattended call ends as late as an unanswered one, so keep a tab open.
    const tab = await openEventStream(origin, { token: rep.token });
    const callSid = await dial(app, rep, phoneNumber);
    const ended = await waitForStatus(app, rep, { callSid, status, timeoutMs: 50_000 });
    tab.close();
    expect(ended.cause).toEqual(cause);
    expect(ended.durationMs / 1000).toBeGreaterThanOrEqual(talkedSeconds - 0.5);
    expect(ended.durationMs / 1000).toBeLessThan(talkedSeconds === 0 ? 0.5 : talkedSeconds * 2);
    expect(ended.answeredAt === null).toBe(talkedSeconds === 0);
  });

  // It waits as long as they do.
  test.concurrent("ends 15 s after the last tab has gone", async () => {
    const rep = await newRep(app);
    const callSid = await dial(app, rep, speaking);
    const ended = await waitForStatus(app, rep, { callSid, status: "completed", timeoutMs: 50_000 });
    expect(ended.cause?.reason).toBe("left");
    expect(ended.durationMs).toBeGreaterThan(14_000);
  });
});

describe("during a call", () => {
  test("hanging up while the call rings cancels it", async () => {
    const rep = await newRep(app);
    const callSid = await dial(app, rep, "+12025550102");
    await waitForStatus(app, rep, { callSid, status: "ringing" });
    expect((await hangUp(rep, callSid)).json()).toMatchObject({ status: "canceled", cause: { reason: "canceled" } });
  });

  test("mutes and holds, and notifies the carrier and the tabs; refuses both after the end", async () => {
    const rep = await newRep(app);
    const callSid = await dial(app, rep, speaking);
    const change = (body: object) => app.ask("PATCH", `/v1/calls/${callSid}`, { token: rep.token, body });
    await waitForStatus(app, rep, { callSid, status: "in-progress" });
    expect((await change({ muted: true })).json()).toMatchObject({ muted: true, held: false });
    expect((await change({ held: true })).json()).toMatchObject({ muted: true, held: true });
    expect((await change({ muted: false, held: false })).json()).toMatchObject({ muted: false, held: false });
    await hangUp(rep, callSid);
    expect((await change({ muted: true })).json()).toMatchObject({ status: 409, title: "The call has ended" });
  });

  test("sends keys once the call is answered, and explains why not before", async () => {
    const rep = await newRep(app);
    const press = (callSid: string, digits: string) =>
      app.ask("POST", `/v1/calls/${callSid}/digits`, { token: rep.token, body: { digits } });
    const ringing = await dial(app, rep, "+12025550102");
    expect((await press(ringing, "1")).json().detail).toBe("You can send keys once the call is answered.");
    await hangUp(rep, ringing);
    const callSid = await dial(app, rep, "+12025550108");
    await waitForStatus(app, rep, { callSid, status: "in-progress" });
    expect((await press(callSid, "12#")).statusCode).toBe(204);
    expect((await press(callSid, "hello")).statusCode).toBe(422);
    await hangUp(rep, callSid);
  });

  test("colleagues see the call but can't control it, and other organisations don't see it", async () => {
    const rep = await newRep(app);
    const colleague = await newRep(app);
    await joinOrganisation(app, colleague, { organisationId: rep.organisationId, role: "admin" });
    const stranger = await newRep(app);
    const callSid = await dial(app, rep, speaking);
    expect((await readCall(app, colleague, callSid)).callSid).toBe(callSid);
    for (const other of [colleague, stranger]) {
      expect((await hangUp(other, callSid)).statusCode).toBe(404);
      const mute = await app.ask("PATCH", `/v1/calls/${callSid}`, { token: other.token, body: { muted: true } });
      expect(mute.statusCode).toBe(404);
    }
    expect((await app.ask("GET", `/v1/calls/${callSid}`, { token: stranger.token })).statusCode).toBe(404);
    expect((await app.ask("GET", "/v1/calls", { token: stranger.token })).json()).toEqual([]);
    expect((await waitForStatus(app, rep, { callSid, status: "in-progress" })).muted).toBe(false);
    await hangUp(rep, callSid);
  });

  test("keeps the person in the call's organisation until it ends", async () => {
    const rep = await newRep(app);
    const { id: other } = await makeOrganisation(app, rep);
    const callSid = await dial(app, rep, speaking);
    const go = () => app.ask("PUT", `/v1/users/set-organisation/${rep.organisationId}`, { token: rep.token });
    const refused = await go();
    expect(refused.statusCode).toBe(409);
    expect(refused.json().detail).toBe("You’re on a call. Hang up before you switch organisations.");
    await hangUp(rep, callSid);
    expect((await go()).json().activeOrganisation.id).not.toBe(other);
  });
});

test("lists calls newest first, page by page, and live calls separately", async () => {
  const rep = await newRep(app);
  const sids: string[] = [];
  for (let i = 0; i < 5; i++) {
    const callSid = await dial(app, rep, speaking);
    sids.unshift(callSid);
    if (i < 4) await hangUp(rep, callSid);
  }
  const list = (path: string) => app.ask("GET", path, { token: rep.token });
  const seen: string[] = [];
  let next: string | undefined = "/v1/calls?limit=2";
  while (next !== undefined) {
    const page = await list(next);
    seen.push(...page.json().map((call: Call) => call.callSid));
    next = /<\/api([^>]+)>; rel="next"/.exec(String(page.headers["link"] ?? ""))?.[1];
  }
  expect(seen).toEqual(sids);
  expect((await list("/v1/calls?live=true")).json().map((call: Call) => call.callSid)).toEqual(sids.slice(0, 1));
  expect((await list("/v1/calls?live=false")).json()).toHaveLength(4);
  await hangUp(rep, sids[0] ?? "");
});
