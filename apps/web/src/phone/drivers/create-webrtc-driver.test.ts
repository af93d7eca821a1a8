// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { startCallServer } from "../testing/call-server.ts";
import { installFakePeers } from "../testing/fake-peers.ts";
import { createWebRtcDriver } from "./create-webrtc-driver.ts";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => vi.unstubAllGlobals());

async function openDriver() {
  const server = await startCallServer();
  const browser = installFakePeers();
  const driver = createWebRtcDriver({ play() {}, async setSpeaker() {} });
  onTestFinished(() => {
    driver.coolDown();
    driver.release();
    return server.quiet();
  });
  const until = (state: string) => vi.waitFor(() => expect(driver.state()).toBe(state), 3000);
  /** What the server was asked while `work` ran. */
  async function asked(work: () => Promise<unknown>): Promise<string[]> {
    const before = server.seen.length;
    await work();
    return server.asked().slice(before);
  }
  return { server, browser, driver, until, asked };
}
type Opened = Awaited<ReturnType<typeof openDriver>>;

async function heldDriver() {
  const opened = await openDriver();
  opened.driver.keepWarm();
  await opened.until("ready");
  return opened;
}
const call = { phoneNumber: "+12025550100", idempotencyKey: "key-of-this-call" };
const attachment = "POST /calls/{id}/media";

/** A driver that has a call's sound, and no wish for a connection beyond it. */
async function inCall() {
  const opened = await openDriver();
  const { callSid } = await opened.driver.start(call);
  await opened.until("ready");
  return { ...opened, callSid };
}
const report = ({ server, driver }: Opened, callSid: string, mediaConnectionId: string | null) =>
  driver.follow(server.change(callSid, { mediaConnectionId }));

describe("starting a call", () => {
  test("goes over the held connection, without an offer", async () => {
    const { driver, server, asked } = await heldDriver();
    expect(await asked(() => driver.start(call))).toEqual(["POST /calls"]);
    expect(server.seen.at(-1)).toMatchObject({
      body: { phoneNumber: call.phoneNumber, mediaConnectionId: driver.connectionId() },
      idempotencyKey: call.idempotencyKey,
    });
    expect(server.seen.at(-1)?.body.offer).toBeUndefined();
  });
  test("tells which lead is meant, where one was chosen", async () => {
    const { driver, server } = await heldDriver();
    const leadId = "0199a1b2-7c3d-7e4f-8a5b-000000000000";
    await driver.start({ ...call, leadId });
    expect(server.seen.at(-1)?.body).toMatchObject({ phoneNumber: call.phoneNumber, leadId });
  });
  test("brings an offer where none is held", async () => {
    const { driver, server, until, asked } = await openDriver();
    expect(await asked(() => driver.start(call))).toEqual(["POST /calls"]);
    expect(server.seen[0]?.body.offer).toBe("offer 1");
    await until("ready");
  });
  test("falls back to an offer, under another key, where the held connection is gone", async () => {
    const { driver, server, browser, until } = await heldDriver();
    server.connections.clear();
    const { callSid } = await driver.start(call);
    const [first, second] = server.seen.filter(({ what }) => what === "POST /calls");
    expect(first?.body.mediaConnectionId).toBeTruthy();
    expect(second?.body.offer).toBe("offer 1");
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
    expect(driver.callSid()).toBe(callSid);
    await until("ready");
    expect(browser.open()).toHaveLength(1);
  });
  test("is asked once more under the same key where no answer came", async () => {
    const { driver, server } = await heldDriver();
    server.refuse("POST /calls", "hang up");
    await driver.start(call);
    const keys = server.seen.filter(({ what }) => what === "POST /calls").map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual([call.idempotencyKey, call.idempotencyKey]);
  });
  test("that is refused leaves no connection behind, unless one is held", async () => {
    const cold = await openDriver();
    cold.server.refuse("POST /calls", [409, "call-in-progress"]);
    await expect(cold.driver.start(call)).rejects.toMatchObject({ code: "call-in-progress" });
    expect(cold.browser.open()).toHaveLength(0);
    const held = await heldDriver();
    held.server.refuse("POST /calls", [409, "call-in-progress"]);
    await expect(held.driver.start(call)).rejects.toMatchObject({ code: "call-in-progress" });
    expect(held.driver.state()).toBe("ready");
  });
  test("gives the microphone of before the connection to it", async () => {
    const { driver, browser } = await openDriver();
    const { microphone } = browser.peers[0] ?? { microphone: null };
    await driver.setMicrophone(microphone);
    await driver.start(call);
    expect(browser.peers[0]?.microphone).toBe(microphone);
  });
});

describe("the held connection", () => {
  test("is tried again after a failure, and given up where it is not allowed", async () => {
    const tried = await openDriver();
    tried.server.refuse("POST /media-connections", [503, "unavailable"]);
    tried.driver.keepWarm();
    await tried.until("ready");
    const refused = await openDriver();
    refused.server.refuse("POST /media-connections", [403, "no-organisation"]);
    refused.driver.keepWarm();
    await refused.until("cold");
    expect(refused.server.asked()).toEqual(["POST /media-connections"]);
  });
  test("outlives its call, and is closed at both ends once it is not wanted", async () => {
    const { driver, server, browser } = await heldDriver();
    await driver.start(call);
    driver.release();
    expect([driver.state(), driver.callSid()]).toEqual(["ready", null]);
    driver.coolDown();
    expect([driver.state(), browser.open()]).toEqual(["cold", []]);
    await vi.waitFor(() => expect(server.connections.size).toBe(0));
  });
  test("that is not wanted any more stays until its call is over", async () => {
    const { driver, browser } = await heldDriver();
    await driver.start(call);
    driver.coolDown();
    expect(driver.state()).toBe("ready");
    driver.release();
    expect([driver.state(), browser.open()]).toEqual(["cold", []]);
  });
  test("that comes when the pad has been left is closed", async () => {
    const { driver, server, browser } = await openDriver();
    const answer = server.keepWaiting("POST /media-connections");
    driver.keepWarm();
    await vi.waitFor(() => expect(server.seen).toHaveLength(1));
    driver.coolDown();
    answer();
    await vi.waitFor(() => expect(server.asked()).toContain("DELETE /media-connections/{id}"));
    expect(browser.open()).toHaveLength(0);
  });
});

describe("attaching", () => {
  test("goes over the held connection", async () => {
    const { driver, server, asked } = await heldDriver();
    const { callSid } = server.begin(null);
    expect(await asked(() => driver.attach(callSid))).toEqual([attachment]);
    expect(server.seen.at(-1)?.body).toEqual({ mediaConnectionId: driver.connectionId() });
    expect(driver.callSid()).toBe(callSid);
  });
  test("falls back to an offer where the held connection is gone", async () => {
    const { driver, server, asked } = await heldDriver();
    const { callSid } = server.begin(null);
    server.connections.clear();
    expect((await asked(() => driver.attach(callSid))).slice(0, 2)).toEqual([attachment, attachment]);
    expect(server.connections).toContain(driver.connectionId());
  });
  test("to a call that has ended says so, and keeps no connection for it", async () => {
    const { driver, server, browser } = await openDriver();
    const { callSid } = server.begin(null);
    server.refuse(attachment, [409, "call-ended"]);
    await expect(driver.attach(callSid)).rejects.toMatchObject({ code: "call-ended" });
    expect([driver.callSid(), browser.open()]).toEqual([null, []]);
  });
  test("does not bring back the sound of a call that ended meanwhile", async () => {
    const { driver, server, browser } = await openDriver();
    const { callSid } = server.begin(null);
    const answer = server.keepWaiting(attachment);
    const attaching = driver.attach(callSid);
    await vi.waitFor(() => expect(server.seen).toHaveLength(1));
    driver.release();
    answer();
    await attaching;
    expect([driver.callSid(), browser.open()]).toEqual([null, []]);
  });
});

describe("reports of where the sound is", () => {
  test("let it go where it is with another page", async () => {
    const opened = await inCall();
    report(opened, opened.callSid, opened.server.openConnection());
    expect(opened.driver.callSid()).toBeNull();
  });
  test("older than the attachment change nothing", async () => {
    const { driver, server, ...rest } = await inCall();
    const older = server.change(rest.callSid, { mediaConnectionId: server.openConnection() });
    await driver.attach(rest.callSid);
    driver.follow(older);
    expect(driver.callSid()).toBe(rest.callSid);
  });
  test("newer than an attachment under way count once it is answered", async () => {
    const opened = await heldDriver();
    const { driver, server } = opened;
    const { callSid } = server.begin(null);
    const answer = server.keepWaiting(attachment);
    const attaching = driver.attach(callSid);
    await vi.waitFor(() => expect(server.asked()).toContain(attachment));
    driver.follow({ callSid, revision: 9, mediaConnectionId: server.openConnection() });
    answer();
    await attaching;
    expect(driver.callSid()).toBeNull();
  });
  test("of no sound anywhere bring it back here", async () => {
    const opened = await inCall();
    const lost = opened.driver.connectionId();
    report(opened, opened.callSid, null);
    await vi.waitFor(() => expect(opened.server.asked()).toContain(attachment));
    await opened.until("ready");
    expect(opened.driver.connectionId()).not.toBe(lost);
    expect(opened.driver.callSid()).toBe(opened.callSid);
  });
});

describe("a broken connection", () => {
  test("heals by an ICE restart and keeps its name", async () => {
    const { driver, server, browser, until, callSid } = await inCall();
    const name = driver.connectionId();
    browser.cut();
    expect(driver.state()).toBe("reconnecting");
    await vi.waitFor(() => expect(server.asked()).toContain("PUT /media-connections/{id}"));
    expect(server.seen.at(-1)?.body.offer).toBe("offer 2, restarted");
    browser.mend();
    await until("ready");
    expect([driver.connectionId(), driver.callSid()]).toEqual([name, callSid]);
  });
  test("that the server has forgotten is replaced, and the call brought to the new one", async () => {
    const { driver, server, browser, until, callSid } = await inCall();
    const name = driver.connectionId();
    server.connections.clear();
    browser.cut();
    browser.mend();
    browser.cut();
    const answer = server.keepWaiting(attachment);
    await vi.waitFor(() => expect(server.asked()).toContain(attachment));
    browser.mend();
    // The call still names the lost connection; that is no other page.
    driver.follow(server.change(callSid, { muted: true }));
    answer();
    await until("ready");
    expect(server.seen.at(-1)?.body.offer).toBe("offer 1");
    expect(driver.callSid()).toBe(callSid);
    expect(driver.connectionId()).not.toBe(name);
    expect(browser.open()).toHaveLength(1);
  });
  test("whose transport the server ended is replaced without a restart", async () => {
    const { driver, server, browser, until, callSid } = await inCall();
    browser.peers[0]?.endTransport();
    expect(driver.state()).toBe("reconnecting");
    await until("ready");
    expect(server.asked()).toEqual(["POST /calls", attachment]);
    expect(driver.callSid()).toBe(callSid);
  });
  test("is replaced again and again until the network is back", async () => {
    const { driver, server, browser, until, callSid } = await inCall();
    server.refuse(attachment, "hang up");
    browser.peers[0]?.endTransport();
    await vi.waitFor(() => expect(server.asked().filter((what) => what === attachment)).toHaveLength(1));
    // Between two attempts the server still tells of the lost connection.
    driver.follow(server.change(callSid, { muted: true }));
    window.dispatchEvent(new Event("online"));
    await until("ready");
    expect(driver.callSid()).toBe(callSid);
  });
  test("is abandoned when its call ends", async () => {
    const { driver, server, browser } = await inCall();
    server.refuse("PUT /media-connections/{id}", [503, "unavailable"]);
    browser.cut();
    await vi.waitFor(() => expect(server.asked()).toContain("PUT /media-connections/{id}"));
    driver.release();
    expect([driver.state(), browser.open()]).toEqual(["cold", []]);
    const before = server.asked().filter((what) => what.startsWith("PUT")).length;
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(server.asked().filter((what) => what.startsWith("PUT"))).toHaveLength(before);
    expect(driver.state()).toBe("cold");
  });
  test("is given up where the call it is replaced for has ended", async () => {
    const { driver, server, browser, until } = await inCall();
    server.refuse(attachment, [409, "call-ended"]);
    browser.peers[0]?.endTransport();
    await until("cold");
    expect(browser.open()).toHaveLength(0);
    expect(driver.connectionId()).toBeNull();
  });
});
