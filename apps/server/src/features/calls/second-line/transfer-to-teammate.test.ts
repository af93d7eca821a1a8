import { shareAt } from "@leadline/adapter-kit/conformance/tone";
import type { Call } from "@leadline/contract/calls";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { openTestBrowser } from "../../../testing/media/test-browser.ts";
import { openEventStream } from "../../../testing/open-event-stream.ts";
import { joinOrganisation, registerPerson, type TestPerson } from "../../../testing/test-app.ts";
import { dial, newRep, readCall, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const app = testAppWithCalls(undefined, { ringForMs: 1_500 });
/** Echoes what it hears. */
const echo = "+12025550101";
const toneHz = 800;
let origin: string;
beforeAll(async () => {
  origin = await app.http.listen({ port: 0, host: "127.0.0.1" });
});

async function sit(person: TestPerson) {
  const stream = await openEventStream(origin, { token: person.token });
  onTestFinished(() => stream.close());
  return stream;
}

/** A rep in an answered call, and a teammate. */
async function talking() {
  const rep: Rep = await newRep(app);
  const teammate = await registerPerson(app);
  await joinOrganisation(app, teammate, { organisationId: rep.organisationId, role: "member" });
  const callSid = await dial(app, rep, echo);
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  return { rep, teammate, callSid };
}
const post = (by: TestPerson, path: string, body?: object) =>
  app.ask("POST", `/v1/calls/${path}`, { token: by.token, ...(body && { body }) });
const transfer = (by: TestPerson, callSid: string, userId: string) => post(by, `${callSid}/transfer`, { userId });
const waitForTransfer = (by: TestPerson, callSid: string, status: string): Promise<Call> =>
  vi.waitFor(async () => {
    const call = await readCall(app, by, callSid);
    expect(call.transfer?.status).toBe(status);
    return call;
  });
const presenceOf = async (by: TestPerson, userId: string) => {
  const teammates = (await app.ask("GET", "/v1/teammates", { token: by.token })).json();
  return teammates.find((one: { userId: string }) => one.userId === userId)?.presence;
};

test("rings in the teammate's browser; when they answer, they talk with the far end and own the call", async () => {
  const { rep, teammate, callSid } = await talking();
  const stream = await sit(teammate);
  const asked = await transfer(rep, callSid, teammate.id);
  expect([asked.statusCode, asked.json().transfer]).toMatchObject([
    200,
    { phoneNumber: "", member: { userId: teammate.id }, refusal: null },
  ]);
  const ringing = await waitForTransfer(rep, callSid, "ringing");
  expect(ringing).toMatchObject({ status: "in-progress", userId: rep.id });
  await stream.until(() => stream.events.some(({ data }) => data?.includes('"status":"ringing"')));

  const browser = await openTestBrowser();
  onTestFinished(() => browser.close());
  const answered = await post(teammate, `${callSid}/answer`, { offer: browser.offer });
  expect(answered.statusCode).toBe(200);
  await browser.acceptAnswer(answered.json().answer);
  browser.sendTone(toneHz);
  await expect.poll(async () => shareAt(toneHz, await browser.listen(400))).toBeGreaterThan(0.8);
  const theirs = await readCall(app, rep, callSid);
  expect(theirs).toMatchObject({
    status: "in-progress",
    userId: teammate.id,
    held: false,
    line: 1,
    mediaConnectionId: answered.json().mediaConnectionId,
    transfer: { status: "taken", member: { userId: teammate.id } },
  });
  expect((await post(rep, `${callSid}/hang-up`)).statusCode).toBe(404);
  // The first rep can start the next call.
  const next = await dial(app, rep, echo);
  await post(rep, `${next}/hang-up`);
  expect((await post(teammate, `${callSid}/hang-up`)).json()).toMatchObject({
    status: "completed",
    cause: { reason: "hung-up-here" },
    transfer: { status: "taken" },
  });
});

test.each([
  ["declined", "rejected"],
  ["not answered", "no-answer"],
] as const)("%s, the far end returns to the sender", async (how, refusal) => {
  const { rep, teammate, callSid } = await talking();
  await sit(teammate);
  await transfer(rep, callSid, teammate.id);
  await waitForTransfer(rep, callSid, "ringing");
  if (how === "declined") await post(teammate, `${callSid}/decline`);
  const back = await waitForTransfer(rep, callSid, "refused");
  expect(back).toMatchObject({ status: "in-progress", userId: rep.id, held: false, transfer: { refusal } });
  const late = await post(teammate, `${callSid}/answer`, { mediaConnectionId: crypto.randomUUID() });
  expect(late.statusCode).toBe(409);
  // The call can be sent again.
  expect((await transfer(rep, callSid, teammate.id)).statusCode).toBe(200);
});

test("stops ringing when the sender takes it back, which nobody else can do", async () => {
  const { rep, teammate, callSid } = await talking();
  await sit(teammate);
  await transfer(rep, callSid, teammate.id);
  await waitForTransfer(rep, callSid, "ringing");
  const takeBack = (by: TestPerson) => app.ask("DELETE", `/v1/calls/${callSid}/transfer`, { token: by.token });
  expect((await takeBack(teammate)).statusCode).toBe(404);
  expect((await takeBack(rep)).statusCode).toBe(204);
  const back = await waitForTransfer(rep, callSid, "refused");
  expect(back).toMatchObject({ userId: rep.id, held: false, transfer: { refusal: "taken-back" } });
  const late = await post(teammate, `${callSid}/answer`, { mediaConnectionId: crypto.randomUUID() });
  expect(late.statusCode).toBe(409);
  expect(await presenceOf(rep, teammate.id)).toBe("free");
  expect((await transfer(rep, callSid, teammate.id)).statusCode).toBe(200);
});

test("keeps ringing if it is answered with a lost audio connection, and can be answered with a new one", async () => {
  const { rep, teammate, callSid } = await talking();
  await sit(teammate);
  await transfer(rep, callSid, teammate.id);
  await waitForTransfer(rep, callSid, "ringing");
  const gone = await post(teammate, `${callSid}/answer`, { mediaConnectionId: crypto.randomUUID() });
  expect([gone.statusCode, gone.json().type]).toEqual([409, "/api/docs#media-connection-gone"]);
  expect((await readCall(app, rep, callSid)).transfer?.status).toBe("ringing");

  const browser = await openTestBrowser();
  onTestFinished(() => browser.close());
  const answered = await post(teammate, `${callSid}/answer`, { offer: browser.offer });
  expect(answered.statusCode).toBe(200);
  await browser.acceptAnswer(answered.json().answer);
  browser.sendTone(toneHz);
  await expect.poll(async () => shareAt(toneHz, await browser.listen(400))).toBeGreaterThan(0.8);
});

test("returns the far end to the sender if it was answered only with a lost audio connection", async () => {
  const { rep, teammate, callSid } = await talking();
  await sit(teammate);
  await transfer(rep, callSid, teammate.id);
  await waitForTransfer(rep, callSid, "ringing");
  await post(teammate, `${callSid}/answer`, { mediaConnectionId: crypto.randomUUID() });
  const back = await waitForTransfer(rep, callSid, "refused");
  expect(back).toMatchObject({ userId: rep.id, held: false, transfer: { refusal: "no-answer" } });
});

test("can be answered by nobody else, and stops ringing when the far end hangs up", async () => {
  const { rep, teammate, callSid } = await talking();
  const third = await registerPerson(app);
  await joinOrganisation(app, third, { organisationId: rep.organisationId, role: "member" });
  await sit(teammate);
  await transfer(rep, callSid, teammate.id);
  await waitForTransfer(rep, callSid, "ringing");
  const media = { mediaConnectionId: crypto.randomUUID() };
  for (const verb of ["answer", "decline"])
    expect((await post(third, `${callSid}/${verb}`, verb === "answer" ? media : undefined)).statusCode).toBe(409);
  await post(rep, `${callSid}/hang-up`);
  expect((await post(teammate, `${callSid}/answer`, media)).statusCode).toBe(409);
  expect((await readCall(app, rep, callSid)).transfer?.status).not.toBe("ringing");
});

test("lists teammates as free, on a call or away, and rings only those who are free", async () => {
  const { rep, teammate, callSid } = await talking();
  expect(await presenceOf(rep, teammate.id)).toBe("away");
  expect(await presenceOf(rep, rep.id)).toBeUndefined();
  const away = await transfer(rep, callSid, teammate.id);
  expect([away.statusCode, away.json().type]).toEqual([409, "/api/docs#teammate-unavailable"]);

  await sit(teammate);
  expect(await presenceOf(rep, teammate.id)).toBe("free");
  const own = await dial(app, teammate, echo);
  expect(await presenceOf(rep, teammate.id)).toBe("in-call");
  const busy = await transfer(rep, callSid, teammate.id);
  expect(busy.json().type).toBe("/api/docs#teammate-unavailable");
  await post(teammate, `${own}/hang-up`);

  const stranger = await newRep(app);
  expect((await transfer(rep, callSid, stranger.id)).statusCode).toBe(404);
  expect((await transfer(rep, callSid, rep.id)).statusCode).toBe(404);
  const both = { userId: teammate.id, phoneNumber: echo };
  for (const body of [both, {}]) expect((await post(rep, `${callSid}/transfer`, body)).statusCode).toBe(422);
  expect((await readCall(app, rep, callSid)).transfer).toBeNull();
});
