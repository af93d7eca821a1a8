import { randomUUID } from "node:crypto";
import { shareAt } from "@leadline/adapter-kit/conformance/tone";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openTestBrowser, type TestBrowser } from "../../testing/media/test-browser.ts";
import { dial, newRep, readCall, testAppWithCalls, waitForStatus, type Rep } from "../../testing/test-calls.ts";

const app = testAppWithCalls();
const browsers: TestBrowser[] = [];
afterEach(async () => {
  for (const browser of browsers.splice(0)) await browser.close();
});

async function newBrowser(): Promise<TestBrowser> {
  const browser = await openTestBrowser();
  browsers.push(browser);
  return browser;
}

async function connect(rep: Rep, browser: TestBrowser): Promise<string> {
  const body = { offer: browser.offer };
  const opened = await app.ask("POST", "/v1/media-connections", { token: rep.token, body });
  expect(opened.statusCode).toBe(201);
  await browser.acceptAnswer(opened.json().answer);
  return opened.json().mediaConnectionId;
}

const isHeard = (browser: TestBrowser) => vi.waitFor(() => expect(browser.packets.length).toBeGreaterThan(20));

test("a browser gets no TURN server if none is configured", async () => {
  const { token } = await newRep(app);
  const answer = await app.ask("GET", "/v1/media-configuration", { token });
  expect(answer.json()).toEqual({ iceServers: [], expiresAt: null });
});

describe("a connection held ahead of a call", () => {
  test("carries the call's audio both ways without another negotiation", async () => {
    const rep = await newRep(app);
    const browser = await newBrowser();
    const mediaConnectionId = await connect(rep, browser);
    browser.sendTone(440);
    const body = { phoneNumber: "+12025550101", mediaConnectionId };
    const started = await app.ask("POST", "/v1/calls", { token: rep.token, body });
    expect(started.json()).toEqual({ callSid: expect.stringMatching(/^CA/), mediaConnectionId });
    await vi.waitFor(async () => expect(shareAt(440, await browser.listen(500))).toBeGreaterThan(0.8), 8000);
    await app.ask("POST", `/v1/calls/${started.json().callSid}/hang-up`, { token: rep.token });
  });

  test("belongs to its person: nobody else can call with it, renegotiate it or close it", async () => {
    const rep = await newRep(app);
    const stranger = await newRep(app);
    const browser = await newBrowser();
    const id = await connect(rep, browser);
    const { token } = stranger;
    const body = { phoneNumber: "+12025550100", mediaConnectionId: id };
    expect((await app.ask("POST", "/v1/calls", { token, body })).json().type).toContain("media-connection-gone");
    const renegotiated = await app.ask("PUT", `/v1/media-connections/${id}`, { token, body: { offer: browser.offer } });
    expect(renegotiated.statusCode).toBe(409);
    expect((await app.ask("DELETE", `/v1/media-connections/${id}`, { token })).statusCode).toBe(404);
    const own = await app.ask("DELETE", `/v1/media-connections/${id}`, { token: rep.token });
    expect(own.statusCode).toBe(204);
    expect((await app.ask("DELETE", `/v1/media-connections/${id}`, { token: rep.token })).statusCode).toBe(404);
  });

  test("evicts the longest-idle connection above six, and keeps the one in a call", async () => {
    const rep = await newRep(app);
    const browser = await newBrowser();
    const offer = { token: rep.token, body: { offer: browser.offer } };
    const open = async (): Promise<string> =>
      (await app.ask("POST", "/v1/media-connections", offer)).json().mediaConnectionId;
    const [inCall, idle] = [await open(), await open()];
    const body = { phoneNumber: "+12025550100", mediaConnectionId: inCall };
    const { callSid } = (await app.ask("POST", "/v1/calls", { token: rep.token, body })).json();
    for (let opened = 2; opened < 7; opened++) await open();
    const close = (id: string) => app.ask("DELETE", `/v1/media-connections/${id}`, { token: rep.token });
    expect((await close(idle)).statusCode).toBe(404);
    expect((await readCall(app, rep, callSid)).mediaConnectionId).toBe(inCall);
    await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
  });
});

describe("a call's sound", () => {
  test("moves to the browser that attaches, by offer or by held connection, and leaves the former one", async () => {
    const rep = await newRep(app);
    const callSid = await dial(app, rep, "+12025550100");
    await waitForStatus(app, rep, { callSid, status: "in-progress" });
    const attach = (body: object, to = callSid) => app.ask("POST", `/v1/calls/${to}/media`, { token: rep.token, body });

    const first = await newBrowser();
    const attached = await attach({ offer: first.offer });
    await first.acceptAnswer(attached.json().answer);
    await isHeard(first);
    expect((await readCall(app, rep, callSid)).mediaConnectionId).toBe(attached.json().mediaConnectionId);

    const second = await newBrowser();
    const held = await connect(rep, second);
    expect((await attach({ mediaConnectionId: held })).json().mediaConnectionId).toBe(held);
    await isHeard(second);
    const before = first.packets.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(first.packets.length - before).toBeLessThan(3);

    expect((await attach({})).statusCode).toBe(422);
    expect((await attach({ mediaConnectionId: randomUUID() })).json().type).toContain("media-connection-gone");
    await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
    expect((await attach({ mediaConnectionId: held })).json().type).toContain("call-ended");
  });

  test("has no browser once its connection closes, and the call continues", async () => {
    const rep = await newRep(app);
    const browser = await newBrowser();
    const body = { phoneNumber: "+12025550100", offer: browser.offer };
    const { callSid, mediaConnectionId } = (await app.ask("POST", "/v1/calls", { token: rep.token, body })).json();
    await app.ask("DELETE", `/v1/media-connections/${mediaConnectionId}`, { token: rep.token });
    // The call may still be ringing when its browser goes, and is answered anyway.
    await vi.waitFor(
      async () =>
        expect(await readCall(app, rep, callSid)).toMatchObject({ mediaConnectionId: null, status: "in-progress" }),
      5_000,
    );
    await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
  });
});
