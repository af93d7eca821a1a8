import { type Baresip, startBaresip } from "@leadline/carrier-sip-trunk/testing/start-baresip";
import { account, openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { purestShareAt, shareAt } from "@leadline/adapter-kit/conformance/tone";
import { soundOfWave } from "@leadline/carrier-sip-trunk/testing/wave";
import type { Call } from "@leadline/contract/calls";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { openTestBrowser } from "../../../testing/media/test-browser.ts";
import { openEventStream } from "../../../testing/open-event-stream.ts";
import { joinOrganisation, registerPerson, type TestPerson } from "../../../testing/test-app.ts";
import { dial, newRep, readCall, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const app = testAppWithCalls();
const own = "+442079460125";
const callerHz = 440;
const memberHz = 800;
let stage: Stage;
let caller: Baresip;
let registrar: number;
let origin: string;
let owner: Rep;
let colleague: TestPerson;

beforeAll(async () => {
  stage = await openStage();
  const { peers, folder } = stage;
  caller = await stage.keep(startBaresip(peers, { folder, user: "+442071838750", toneHz: callerHz }));
  registrar = (await stage.kamailio({ callees: {} })).port;
  origin = await app.http.listen({ port: 0, host: "127.0.0.1" });
  [owner, colleague] = await Promise.all([newRep(app), registerPerson(app)]);
  await joinOrganisation(app, colleague, { organisationId: owner.organisationId, role: "member" });
  const lead = { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", phone: "+44 20 7183 8750" };
  await app.ask("POST", "/v1/leads", { token: owner.token, body: lead });
  const settings = { host: `127.0.0.1:${registrar}`, transport: "udp", numbers: [own], ...account };
  const body = { kind: "sip-trunk", label: "Trunk", settings, pricePerMinute: 13_000 };
  await app.ask("POST", "/v1/carriers", { token: owner.token, body });
  await untilRegistered();
});
afterAll(() => stage.close());
afterEach(() => void caller.events.splice(0));

const untilRegistered = () =>
  vi.waitFor(async () => {
    const [carrier] = (await app.ask("GET", "/v1/carriers", { token: owner.token })).json();
    expect(carrier.state.level).toBe("working");
  });

/** A person with Leadline open in a tab. */
async function sit(person: TestPerson) {
  const stream = await openEventStream(origin, { token: person.token });
  onTestFinished(() => stream.close());
  return stream;
}
const newBrowser = async () => {
  const browser = await openTestBrowser();
  onTestFinished(() => browser.close());
  return browser;
};
const newest = async (query = ""): Promise<Call | undefined> =>
  (await app.ask("GET", `/v1/calls?direction=inbound${query}`, { token: owner.token })).json()[0];

/** Answers the ringing call. */
async function callIn(): Promise<Call> {
  caller.command("dial", `sip:${own}@127.0.0.1:${registrar}`);
  await expect.poll(() => newest("&live=true")).toBeDefined();
  await expect.poll(() => caller.events.some(({ type }) => type === "CALL_RINGING")).toBe(true);
  const call = await newest("&live=true");
  if (!call) throw new Error("it rings no more");
  return call;
}
const refusal = () => caller.events.find(({ type }) => type === "CALL_CLOSED")?.param;
const answer = ({ token }: TestPerson, { callSid }: Call, body: object) =>
  app.ask("POST", `/v1/calls/${callSid}/answer`, { token, body });
const decline = ({ token }: TestPerson, { callSid }: Call) =>
  app.ask("POST", `/v1/calls/${callSid}/decline`, { token });
const hangUp = ({ token }: TestPerson, { callSid }: Call) => app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token });

test("rings in every open tab, the first to answer gets the call, and audio flows both ways", async () => {
  const [first, second] = await Promise.all([sit(owner), sit(colleague)]);
  const [hers, his] = await Promise.all([newBrowser(), newBrowser()]);
  const call = await callIn();
  expect(call).toMatchObject({
    status: "ringing",
    direction: "inbound",
    phoneNumber: "+442071838750",
    calledNumber: own,
    userId: null,
    leads: [{ firstName: "Ada" }],
  });
  const told = (stream: typeof first) => stream.events.some(({ data }) => data?.includes(call.callSid));
  await Promise.all([first, second].map((stream) => stream.until(() => told(stream))));
  const answers = await Promise.all([
    answer(colleague, call, { offer: hers.offer }),
    answer(owner, call, { offer: his.offer }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  const [winner, browser] = answers[0].statusCode === 200 ? [colleague, hers] : [owner, his];
  const loser = answers.find(({ statusCode }) => statusCode === 409);
  expect(loser?.json().type).toContain("call-taken");
  await browser.acceptAnswer(answers.find(({ statusCode }) => statusCode === 200)?.json().answer);
  browser.sendTone(memberHz);
  const talking = await waitForStatus(app, winner, { callSid: call.callSid, status: "in-progress" });
  expect(talking).toMatchObject({ userId: winner.id, direction: "inbound" });
  await expect.poll(async () => shareAt(callerHz, await browser.listen(400))).toBeGreaterThan(0.8);

  await browser.listen(800);
  await hangUp(winner, call);
  await expect.poll(refusal).toBeDefined();
  const heard = await soundOfWave((await caller.recordings())[0] ?? "");
  expect(purestShareAt(memberHz, heard)).toBeGreaterThan(0.8);
  expect(await readCall(app, owner, call.callSid)).toMatchObject({
    status: "completed",
    cause: { reason: "hung-up-here" },
    // The carrier's price applies to outbound calls only.
    costMicros: 0,
  });
  // The other tab is told that the call is over.
  expect((await answer(owner, call, { mediaConnectionId: crypto.randomUUID() })).statusCode).toBe(409);
});

test("keeps ringing for the others when one declines; once all have, the caller gets busy", async () => {
  await Promise.all([sit(owner), sit(colleague)]);
  const call = await callIn();
  expect((await decline(owner, call)).statusCode).toBe(204);
  expect((await readCall(app, owner, call.callSid)).status).toBe("ringing");
  await decline(colleague, call);
  await expect.poll(refusal).toContain("486");
  await waitForStatus(app, owner, { callSid: call.callSid, status: "busy" });
  expect((await decline(owner, call)).json().type).toContain("call-ended");
});

test("refuses a call to a number that isn't the organisation's, and rings nobody", async () => {
  await sit(owner);
  const before = await newest();
  caller.command("dial", `sip:+442079460999@127.0.0.1:${registrar}`);
  await expect.poll(refusal).toContain("404");
  expect(await newest()).toEqual(before);
});

test("lists a call as missed as soon as the caller gives up", async () => {
  await sit(owner);
  const { callSid } = await callIn();
  caller.command("hangup");
  const missed = await waitForStatus(app, owner, { callSid, status: "no-answer" });
  expect(missed.cause).toMatchObject({ reason: "hung-up-there", sip: 487 });
});

test("a failed answer leaves the call ringing for another attempt", async () => {
  await sit(owner);
  const call = await callIn();
  expect((await answer(owner, call, { offer: "v=0" })).json().type).toContain("sdp-not-usable");
  expect((await answer(owner, call, { mediaConnectionId: crypto.randomUUID() })).json().type).toContain("gone");
  expect((await readCall(app, owner, call.callSid)).status).toBe("ringing");
  const browser = await newBrowser();
  expect((await answer(owner, call, { offer: browser.offer })).statusCode).toBe(200);
  await waitForStatus(app, owner, { callSid: call.callSid, status: "in-progress" });
  caller.command("hangup");
  const ended = await waitForStatus(app, owner, { callSid: call.callSid, status: "completed" });
  expect(ended.cause).toMatchObject({ reason: "hung-up-there" });
});

test("while everyone is on a call, the caller gets busy and the call is missed", async () => {
  await sit(owner);
  const { id } = (await app.ask("GET", "/v1/carriers", { token: owner.token })).json()[0];
  // Outbound calls use the sandbox while the trunk, in use again, delivers the next inbound call.
  const use = (inUse: boolean) => app.ask("PUT", `/v1/carriers/${id}`, { token: owner.token, body: { inUse } });
  await use(false);
  const talking = await dial(app, owner, "+12025550100");
  await use(true);
  await untilRegistered();
  const before = await newest();
  caller.command("dial", `sip:${own}@127.0.0.1:${registrar}`);
  await expect.poll(refusal).toContain("486");
  await expect.poll(async () => (await newest())?.callSid).not.toBe(before?.callSid);
  expect(await newest()).toMatchObject({ status: "no-answer", userId: null });
  await app.ask("POST", `/v1/calls/${talking}/hang-up`, { token: owner.token });
});
