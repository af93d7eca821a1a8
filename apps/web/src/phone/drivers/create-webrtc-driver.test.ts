// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Refusal } from "../testing/call-server.ts";
import { attachment, call, heldDriver, inCall, openDriver, report } from "../testing/open-driver.ts";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => vi.unstubAllGlobals());

describe("starting a call", () => {
  test("uses the held connection, without an offer", async () => {
    const { driver, server, asked } = await heldDriver();
    expect(await asked(() => driver.start(call))).toEqual(["POST /calls"]);
    expect(server.seen.at(-1)).toMatchObject({
      body: { phoneNumber: call.phoneNumber, mediaConnectionId: driver.connectionId() },
      idempotencyKey: call.idempotencyKey,
    });
    expect(server.seen.at(-1)?.body.offer).toBeUndefined();
  });
  test("names the chosen lead, if any", async () => {
    const { driver, server } = await heldDriver();
    const leadId = "0199a1b2-7c3d-7e4f-8a5b-000000000000";
    await driver.start({ ...call, leadId });
    expect(server.seen.at(-1)?.body).toMatchObject({ phoneNumber: call.phoneNumber, leadId });
  });
  test("sends an offer if no connection is held", async () => {
    const { driver, server, until, asked } = await openDriver();
    expect(await asked(() => driver.start(call))).toEqual(["POST /calls"]);
    expect(server.seen[0]?.body.offer).toBe("offer 1");
    await until("ready");
  });
  test("sends the prepared offer if no connection can be held, and leaves none of them open", async () => {
    const { driver, server, browser, until, untilClosed } = await openDriver();
    server.refuse("POST /media-connections", ...Array.from({ length: 9 }, (): Refusal => [503, "unavailable"]));
    driver.keepWarm();
    // The third has the longest wait until it is sent.
    await vi.waitFor(() => expect(browser.peers).toHaveLength(3), 3000);
    const [ahead] = browser.open();
    await driver.start(call);
    await until("ready");
    expect(browser.open()).toEqual([ahead]);
    driver.coolDown();
    driver.release();
    await untilClosed();
  });
  test("opens no other connection meanwhile, and tries to hold one again after a failure", async () => {
    const { driver, server, browser, until } = await openDriver();
    const refuseConnection = server.keepWaiting("POST /media-connections");
    server.refuse("POST /media-connections", [503, "unavailable"]);
    driver.keepWarm();
    await vi.waitFor(() => expect(server.asked()).toContain("POST /media-connections"));
    const refuseCall = server.keepWaiting("POST /calls");
    server.refuse("POST /calls", [403, "not-allowed"]);
    const starting = driver.start(call);
    await vi.waitFor(() => expect(server.asked()).toContain("POST /calls"));
    refuseConnection();
    await vi.waitFor(() => expect(driver.obstacle()).not.toBeNull());
    await server.quiet();
    expect(browser.open()).toHaveLength(1);
    refuseCall();
    await expect(starting).rejects.toThrow("not-allowed");
    await until("ready");
  });
  test("falls back to an offer, under another key, if the held connection is gone", async () => {
    const { driver, server, browser, until } = await heldDriver();
    server.connections.clear();
    const { callSid } = await driver.start(call);
    const [first, second] = server.seen.filter(({ what }) => what === "POST /calls");
    expect(first?.body.mediaConnectionId).toBeTruthy();
    expect(second?.body.offer).toBe("offer 1");
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
    expect(driver.callSid()).toBe(callSid);
    await until("ready");
    await vi.waitFor(() => expect(browser.open()).toHaveLength(1));
  });
  test("retries once under the same key if there is no response", async () => {
    const { driver, server } = await heldDriver();
    server.refuse("POST /calls", "hang up");
    await driver.start(call);
    const keys = server.seen.filter(({ what }) => what === "POST /calls").map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual([call.idempotencyKey, call.idempotencyKey]);
  });
  test("leaves no connection behind after a refusal, unless one is held", async () => {
    const cold = await openDriver();
    cold.server.refuse("POST /calls", [409, "call-in-progress"]);
    await expect(cold.driver.start(call)).rejects.toMatchObject({ code: "call-in-progress" });
    expect(cold.browser.open()).toHaveLength(0);
    const held = await heldDriver();
    held.server.refuse("POST /calls", [409, "call-in-progress"]);
    await expect(held.driver.start(call)).rejects.toMatchObject({ code: "call-in-progress" });
    expect(held.driver.state()).toBe("ready");
  });
  test("uses the microphone that was opened before the connection", async () => {
    const { driver, browser } = await openDriver();
    const { microphone } = browser.peers[0] ?? { microphone: null };
    await driver.setMicrophone(microphone);
    await driver.start(call);
    expect(browser.peers[0]?.microphone).toBe(microphone);
  });
});

describe("the held connection", () => {
  test("is retried after a failure, and given up if it isn't allowed", async () => {
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
  test("outlives its call, and is closed at both ends once it isn't wanted", async () => {
    const { driver, server, untilClosed } = await heldDriver();
    await driver.start(call);
    driver.release();
    expect([driver.state(), driver.callSid()]).toEqual(["ready", null]);
    driver.coolDown();
    expect(driver.state()).toBe("cold");
    await untilClosed();
    await vi.waitFor(() => expect(server.connections.size).toBe(0));
  });
  test("that isn't wanted any more stays until its call is over", async () => {
    const { driver, untilClosed } = await heldDriver();
    await driver.start(call);
    driver.coolDown();
    expect(driver.state()).toBe("ready");
    driver.release();
    expect(driver.state()).toBe("cold");
    await untilClosed();
  });
  test("is closed on the server before its transport ends, which would make the server forget it first", async () => {
    const { driver, server, browser, untilClosed } = await heldDriver();
    const answer = server.keepWaiting("DELETE /media-connections/{id}");
    driver.coolDown();
    await vi.waitFor(() => expect(server.asked()).toContain("DELETE /media-connections/{id}"));
    expect(browser.open()).toHaveLength(1);
    answer();
    await untilClosed();
  });
  test("that opens after the rep has left the pad is closed", async () => {
    const { driver, server, browser } = await openDriver();
    const answer = server.keepWaiting("POST /media-connections");
    driver.keepWarm();
    await vi.waitFor(() => expect(server.seen).toHaveLength(1));
    driver.coolDown();
    answer();
    await vi.waitFor(() => expect(server.asked()).toContain("DELETE /media-connections/{id}"));
    await vi.waitFor(() => expect(browser.open()).toHaveLength(0));
  });
});

describe("attaching", () => {
  test("uses the held connection", async () => {
    const { driver, server, asked } = await heldDriver();
    const { callSid } = server.begin(null);
    expect(await asked(() => driver.attach(callSid))).toEqual([attachment]);
    expect(server.seen.at(-1)?.body).toEqual({ mediaConnectionId: driver.connectionId() });
    expect(driver.callSid()).toBe(callSid);
  });
  test("falls back to an offer if the held connection is gone", async () => {
    const { driver, server, asked } = await heldDriver();
    const { callSid } = server.begin(null);
    server.connections.clear();
    expect((await asked(() => driver.attach(callSid))).slice(0, 2)).toEqual([attachment, attachment]);
    expect(server.connections).toContain(driver.connectionId());
  });
  test("to an ended call says so, and keeps no connection for it", async () => {
    const { driver, server, untilClosed } = await openDriver();
    const { callSid } = server.begin(null);
    server.refuse(attachment, [409, "call-ended"]);
    await expect(driver.attach(callSid)).rejects.toMatchObject({ code: "call-ended" });
    expect(driver.callSid()).toBeNull();
    await untilClosed();
  });
  test("doesn't bring back the audio of a call that ended meanwhile", async () => {
    const { driver, server, untilClosed } = await openDriver();
    const { callSid } = server.begin(null);
    const answer = server.keepWaiting(attachment);
    const attaching = driver.attach(callSid);
    await vi.waitFor(() => expect(server.seen).toHaveLength(1));
    driver.release();
    answer();
    await attaching;
    expect(driver.callSid()).toBeNull();
    await untilClosed();
  });
});

describe("reports of where the audio is", () => {
  test("release it if it is on another page", async () => {
    const opened = await inCall();
    report(opened, opened.callSid, opened.server.openConnection());
    expect(opened.driver.callSid()).toBeNull();
  });
  test("older than the attachment have no effect", async () => {
    const { driver, server, ...rest } = await inCall();
    const older = server.change(rest.callSid, { mediaConnectionId: server.openConnection() });
    await driver.attach(rest.callSid);
    driver.follow(older);
    expect(driver.callSid()).toBe(rest.callSid);
  });
  test("newer than a pending attachment count once that has its response", async () => {
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
  test("of no audio anywhere bring it to this page", async () => {
    const opened = await inCall();
    const lost = opened.driver.connectionId();
    report(opened, opened.callSid, null);
    await vi.waitFor(() => expect(opened.server.asked()).toContain(attachment));
    await opened.until("ready");
    expect(opened.driver.connectionId()).not.toBe(lost);
    expect(opened.driver.callSid()).toBe(opened.callSid);
  });
});
