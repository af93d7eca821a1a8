import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import type { Call } from "@leadline/contract/calls";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { adaHz, heardBy, repHz } from "../../../testing/media/heard-by.ts";
import { openTestBrowser } from "../../../testing/media/test-browser.ts";
import { echo, onTwoLines } from "../../../testing/on-two-lines.ts";
import { openEventStream } from "../../../testing/open-event-stream.ts";
import { puppets, stringed } from "../../../testing/puppet-carrier.ts";
import { joinOrganisation, registerPerson, type TestPerson } from "../../../testing/test-app.ts";
import { dial, newRep, readCall, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const ringForMs = 4_000;
const app = testAppWithCalls([sandbox, stringed], { ringForMs });
const { post, change, hangUp, waitFor } = onTwoLines(app);
let origin: string;
beforeAll(async () => {
  origin = await app.http.listen({ port: 0, host: "127.0.0.1" });
});

async function sit(person: TestPerson): Promise<void> {
  const stream = await openEventStream(origin, { token: person.token });
  onTestFinished(() => stream.close());
}
async function openBrowser(hz: number) {
  const browser = await openTestBrowser();
  onTestFinished(() => browser.close());
  return { ...browser, say: () => browser.sendTone(hz) };
}
async function joinTeam(organisationId: string): Promise<TestPerson> {
  const person = await registerPerson(app);
  await joinOrganisation(app, person, { organisationId, role: "member" });
  return person;
}
const ringingFor = async (by: TestPerson, teammate: TestPerson): Promise<Call | undefined> => {
  const live: Call[] = (await app.ask("GET", "/v1/calls?live=true", { token: by.token })).json();
  return live.find(({ ringsFor, status }) => ringsFor === teammate.id && status === "ringing");
};
const presenceOf = async (by: TestPerson, { id }: TestPerson): Promise<string | undefined> => {
  const teammates = (await app.ask("GET", "/v1/teammates", { token: by.token })).json();
  return teammates.find((one: { userId: string }) => one.userId === id)?.presence;
};
const call = (by: TestPerson, callSid: string, { id: userId }: TestPerson) =>
  post(by, callSid, "consultation", { userId });

/** A rep in a call with an echoing callee, and a teammate with Leadline open. */
async function talking() {
  const rep = await newRep(app);
  const teammate = await joinTeam(rep.organisationId);
  await sit(teammate);
  const browser = await openBrowser(repHz);
  const body = { phoneNumber: echo, offer: browser.offer };
  const { callSid: first, answer } = (await app.ask("POST", "/v1/calls", { token: rep.token, body })).json();
  await browser.acceptAnswer(answer);
  await waitForStatus(app, rep, { callSid: first, status: "in-progress" });
  browser.say();
  return { rep, teammate, browser, first };
}

/** Calls the teammate on the rep's second line. */
async function ringing() {
  const { rep, teammate, first, ...more } = await talking();
  const asked = await call(rep, first, teammate);
  expect(asked.statusCode).toBe(201);
  const second: string = asked.json().callSid;
  await waitForStatus(app, rep, { callSid: second, status: "ringing" });
  const theirs = await vi.waitFor(async () => (await ringingFor(teammate, teammate)) ?? Promise.reject(new Error()));
  return { ...more, rep, teammate, first, second, theirs };
}

async function answered() {
  const opened = await ringing();
  const { rep, teammate, second, theirs } = opened;
  const mate = await openBrowser(adaHz);
  const taken = await post(teammate, theirs.callSid, "answer", { offer: mate.offer });
  expect(taken.statusCode).toBe(200);
  await mate.acceptAnswer(taken.json().answer);
  await waitForStatus(app, rep, { callSid: second, status: "in-progress" });
  mate.say();
  return { ...opened, mate };
}

describe("calling a teammate on the second line", () => {
  test("connects both while the first call is on hold; both have the call in their log, free of charge", async () => {
    const { rep, teammate, first, second, theirs, browser, mate } = await answered();
    expect(await heardBy(mate, repHz)).toEqual([repHz]);
    expect(await heardBy(browser, adaHz)).toEqual([adaHz]);
    const [{ firstName, lastName }, own] = await Promise.all([
      app.ask("GET", "/v1/users/me", { token: rep.token }).then((answer) => answer.json()),
      readCall(app, rep, second),
    ]);
    expect(own).toMatchObject({
      phoneNumber: "",
      line: 2,
      held: false,
      userId: rep.id,
      canTransfer: false,
      rate: null,
    });
    expect(own.callerId).toBe(theirs.calledNumber);
    expect(theirs).toMatchObject({ phoneNumber: "", direction: "inbound", userId: null });
    expect(theirs.callerId).toBe(`${firstName} ${lastName}, with +1 202 555 0101 on the line`);
    expect(await readCall(app, rep, first)).toMatchObject({ held: true, status: "in-progress" });
    const used = (await app.ask("GET", "/v1/limits", { token: rep.token })).json().used;
    expect(used).toMatchObject({ concurrentCalls: 1, callsPerMinute: 1 });
    expect(await hangUp(teammate, theirs.callSid)).toMatchObject({ userId: teammate.id, costMicros: 0 });
    expect(await waitForStatus(app, rep, { callSid: second, status: "completed" })).toMatchObject({
      cause: { reason: "hung-up-there" },
      costMicros: 0,
    });
    await waitFor(rep, first, { held: false, line: 1 });
  });

  test("bridges the teammate and the first far end when the transfer is completed, and frees the rep", async () => {
    const { rep, teammate, first, second, theirs, mate } = await answered();
    expect((await post(rep, second, "complete-transfer")).statusCode).toBe(200);
    expect(await readCall(app, rep, first)).toMatchObject({
      line: null,
      transfer: { phoneNumber: "", member: { userId: teammate.id }, attended: true, status: "taken" },
    });
    const { firstName, lastName } = (await app.ask("GET", "/v1/users/me", { token: rep.token })).json();
    await waitFor(teammate, theirs.callSid, { callerId: `+1 202 555 0101, transferred by ${firstName} ${lastName}` });
    // The first far end echoes what it hears.
    expect(await heardBy(mate, adaHz)).toEqual([adaHz]);
    const next = await dial(app, rep, echo);
    await hangUp(rep, next);
    expect(await readCall(app, teammate, theirs.callSid)).toMatchObject({ status: "in-progress", userId: teammate.id });
    await hangUp(teammate, theirs.callSid);
    for (const callSid of [first, second]) await waitForStatus(app, rep, { callSid, status: "completed" });
  });

  test("joins the teammate, the first far end and the rep in a conference", async () => {
    const { rep, teammate, first, second, theirs, browser, mate } = await answered();
    expect((await post(rep, second, "join")).statusCode).toBe(200);
    // The first far end echoes, and a tone can cancel out its own echo, so test one at a time.
    await change(rep, first, { silenced: true });
    expect(await heardBy(browser, adaHz)).toEqual([adaHz]);
    expect(await heardBy(mate, repHz)).toEqual([repHz]);
    await change(rep, first, { silenced: false, muted: true });
    expect(await heardBy(mate, adaHz)).toEqual([adaHz]);
    await change(rep, first, { muted: false });
    await hangUp(teammate, theirs.callSid);
    await waitFor(rep, first, { status: "in-progress", line: 1, joinedWith: null });
    expect(await heardBy(browser, repHz)).toEqual([repHz]);
  });

  test.each([
    ["waiting", async () => undefined],
    ["in the conference", (rep: TestPerson, second: string) => post(rep, second, "join")],
  ])("shows the teammate only the rep after the first call, %s, has hung up", async (_, arrange) => {
    const { rep, teammate, first, second, theirs } = await answered();
    await arrange(rep, second);
    await hangUp(rep, first);
    const callerId = theirs.callerId?.replace(/, with .*/, "") ?? null;
    await waitFor(teammate, theirs.callSid, { callerId, status: "in-progress" });
    expect(callerId).not.toBe(theirs.callerId);
  });

  test("holds in both directions: the teammate can hold the rep, and the rep the teammate", async () => {
    const { rep, teammate, second, theirs } = await answered();
    const hold = (by: TestPerson, callSid: string, held: boolean) =>
      app.ask("PATCH", `/v1/calls/${callSid}`, { token: by.token, body: { held } });
    await hold(teammate, theirs.callSid, true);
    await waitFor(rep, second, { heldByThem: true });
    await hold(teammate, theirs.callSid, false);
    await waitFor(rep, second, { heldByThem: false });
    await hold(rep, second, true);
    expect(await waitFor(teammate, theirs.callSid, { heldByThem: true })).toMatchObject({ status: "in-progress" });
  });

  test.each([
    ["declines", "busy", "rejected"],
    ["does not answer", "no-answer", "no-answer"],
  ] as const)("leaves the first call as it was if the teammate %s", async (how, status, reason) => {
    const { rep, teammate, first, second, theirs, browser } = await ringing();
    if (how === "declines") await post(teammate, theirs.callSid, "decline");
    expect(await waitForStatus(app, rep, { callSid: second, status })).toMatchObject({ cause: { reason } });
    await waitFor(rep, first, { status: "in-progress", held: false, line: 1 });
    expect(await heardBy(browser, repHz)).toEqual([repHz]);
    await vi.waitFor(async () => expect(await ringingFor(teammate, teammate)).toBeUndefined());
    expect(await readCall(app, teammate, theirs.callSid)).toMatchObject({ userId: null, endedAt: expect.any(String) });
    expect(await presenceOf(rep, teammate)).toBe("free");
  });

  test("stops ringing when the rep gives up, is missed only by that teammate, and can be repeated", async () => {
    const { rep, teammate, first, second, theirs } = await ringing();
    expect(await hangUp(rep, second)).toMatchObject({ status: "canceled" });
    await waitForStatus(app, teammate, { callSid: theirs.callSid, status: "no-answer" });
    const missedBy = async ({ token }: TestPerson) => (await app.ask("GET", "/v1/calls?missed=true", { token })).json();
    expect(await missedBy(teammate)).toMatchObject([{ callSid: theirs.callSid }]);
    expect(await missedBy(rep)).toEqual([]);
    const media = { mediaConnectionId: crypto.randomUUID() };
    expect((await post(teammate, theirs.callSid, "answer", media)).statusCode).toBe(409);
    expect((await call(rep, first, teammate)).statusCode).toBe(201);
  });

  test("rings only for the teammate: nobody else can answer it, and it can't go to voicemail", async () => {
    const { rep, teammate, theirs, second } = await ringing();
    const third = await joinTeam(rep.organisationId);
    await sit(third);
    const media = { mediaConnectionId: crypto.randomUUID() };
    expect((await post(third, theirs.callSid, "answer", media)).statusCode).toBe(409);
    expect((await post(third, theirs.callSid, "decline")).statusCode).toBe(409);
    expect((await post(teammate, theirs.callSid, "send-to-voicemail")).json().type).toBe(
      "/api/docs#voicemail-unavailable",
    );
    expect(await readCall(app, rep, second)).toMatchObject({ status: "ringing" });
  });
});

test("refuses a teammate who is already being rung", async () => {
  const { rep, teammate, first, second } = await ringing();
  expect(await presenceOf(rep, teammate)).toBe("in-call");
  const other = await joinTeam(rep.organisationId);
  await sit(other);
  const theirs = await dial(app, other, echo);
  await waitForStatus(app, other, { callSid: theirs, status: "in-progress" });
  for (const verb of ["consultation", "transfer"])
    expect((await post(other, theirs, verb, { userId: teammate.id })).json()).toMatchObject({
      type: "/api/docs#teammate-unavailable",
      detail: "They’re on a call. Try again later.",
    });
  await hangUp(rep, second);
  await vi.waitFor(async () => expect(await presenceOf(rep, teammate)).toBe("free"));
  // Nor a teammate to whom a call is being transferred.
  expect((await post(other, theirs, "transfer", { userId: teammate.id })).statusCode).toBe(200);
  expect(await presenceOf(rep, teammate)).toBe("in-call");
  expect((await call(rep, first, teammate)).json().type).toBe("/api/docs#teammate-unavailable");
});

test("refuses a teammate who is away, a stranger, oneself, and two teammates at once", async () => {
  const { rep, first, teammate } = await talking();
  const away = await joinTeam(rep.organisationId);
  expect((await call(rep, first, away)).json()).toMatchObject({
    type: "/api/docs#teammate-unavailable",
    detail: "They don’t have Leadline open. Choose someone else, or a phone number.",
  });
  for (const nobody of [await newRep(app), rep]) expect((await call(rep, first, nobody)).statusCode).toBe(404);
  for (const body of [{ userId: teammate.id, phoneNumber: echo }, {}])
    expect((await post(rep, first, "consultation", body)).statusCode).toBe(422);
  expect(await readCall(app, rep, first)).toMatchObject({ held: false });
});

describe("a transfer to a teammate that is declined before the hold is signalled", () => {
  async function slowToHold() {
    const rep = await newRep(app);
    const teammate = await joinTeam(rep.organisationId);
    await sit(teammate);
    const settings = { kind: "stringed", label: "Line", settings: { line: "1" } };
    await app.ask("POST", "/v1/carriers", { token: rep.token, body: settings });
    const callSid = await dial(app, rep, echo);
    await waitForStatus(app, rep, { callSid, status: "in-progress" });
    const farEnd = puppets.get(callSid);
    if (!farEnd) throw new Error("The call went by another carrier.");
    const slow = Promise.withResolvers<void>();
    farEnd.holding = slow.promise;
    const transfer = () => post(rep, callSid, "transfer", { userId: teammate.id });
    expect((await transfer()).statusCode).toBe(200);
    await vi.waitFor(() => expect(farEnd.holds).toEqual([true]));
    expect((await post(teammate, callSid, "decline")).statusCode).toBe(204);
    farEnd.holding = Promise.resolve();
    await vi.waitFor(async () => expect((await readCall(app, rep, callSid)).transfer?.status).toBe("refused"));
    const again = async () => {
      expect((await transfer()).statusCode).toBe(200);
      await vi.waitFor(async () => expect((await readCall(app, rep, callSid)).transfer?.status).toBe("ringing"));
    };
    const isTaken = async () => {
      const browser = await openBrowser(adaHz);
      return (await post(teammate, callSid, "answer", { offer: browser.offer })).statusCode === 200;
    };
    return { slow, again, isTaken };
  }

  test("doesn't cancel a newer transfer when its own hold fails", async () => {
    const { slow, again, isTaken } = await slowToHold();
    await again();
    slow.reject(new Error("The far end says nothing."));
    expect(await isTaken()).toBe(true);
  });

  test("doesn't cancel a newer transfer when its own time is over", async () => {
    const { slow, again, isTaken } = await slowToHold();
    slow.resolve();
    const overAtMs = performance.now() + ringForMs;
    await new Promise((done) => setTimeout(done, ringForMs / 2));
    await again();
    await new Promise((done) => setTimeout(done, overAtMs + 300 - performance.now()));
    expect(await isTaken()).toBe(true);
  });
});
