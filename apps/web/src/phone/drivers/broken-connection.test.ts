// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { attachment, call, heldDriver, inCall, openDriver } from "../testing/open-driver.ts";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => vi.unstubAllGlobals());

describe("a broken connection", () => {
  test("recovers by an ICE restart and keeps its id", async () => {
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
  test("that the server has forgotten is replaced, and the call moved to the new one", async () => {
    const { driver, server, browser, until, callSid } = await inCall();
    const name = driver.connectionId();
    server.connections.clear();
    browser.cut();
    browser.mend();
    browser.cut();
    const answer = server.keepWaiting(attachment);
    await vi.waitFor(() => expect(server.asked()).toContain(attachment));
    browser.mend();
    // The call still names the lost connection, which isn't another page.
    driver.follow(server.change(callSid, { muted: true }));
    answer();
    await until("ready");
    expect(server.seen.at(-1)?.body.offer).toBe("offer 1");
    expect(driver.callSid()).toBe(callSid);
    expect(driver.connectionId()).not.toBe(name);
    expect(browser.open()).toHaveLength(1);
  });
  test("whose transport the server closed is replaced without a restart", async () => {
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
    // Between two attempts, the server still reports the lost connection.
    driver.follow(server.change(callSid, { muted: true }));
    window.dispatchEvent(new Event("online"));
    await until("ready");
    expect(driver.callSid()).toBe(callSid);
  });
  test("is abandoned when its call ends", async () => {
    const { driver, server, browser, untilClosed } = await inCall();
    server.refuse("PUT /media-connections/{id}", [503, "unavailable"]);
    browser.cut();
    await vi.waitFor(() => expect(server.asked()).toContain("PUT /media-connections/{id}"));
    driver.release();
    expect(driver.state()).toBe("cold");
    await untilClosed();
    const before = server.asked().filter((what) => what.startsWith("PUT")).length;
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(server.asked().filter((what) => what.startsWith("PUT"))).toHaveLength(before);
    expect(driver.state()).toBe("cold");
  });
  test("is given up if the call that it is replaced for has ended", async () => {
    const { driver, server, browser, until } = await inCall();
    server.refuse(attachment, [409, "call-ended"]);
    browser.peers[0]?.endTransport();
    await until("cold");
    expect(browser.open()).toHaveLength(0);
    expect(driver.connectionId()).toBeNull();
  });
  test.each(["before the page learns of it", "once the page knows"])(
    "of a call that ended %s is followed by one for the next call, if that is wanted",
    async (when) => {
      const { driver, server, browser, until } = await heldDriver();
      await driver.start(call);
      if (when === "once the page knows") server.refuse(attachment, "hang up");
      else server.refuse(attachment, [409, "call-ended"]);
      browser.peers[0]?.endTransport();
      await vi.waitFor(() => expect(server.asked()).toContain(attachment));
      if (when === "once the page knows") driver.release();
      await until("ready");
      driver.release();
      expect(driver.state()).toBe("ready");
      expect(browser.open()).toHaveLength(1);
      expect(server.asked().at(-1)).toBe("POST /media-connections");
    },
  );
  test("reports the obstacle: the server's response, or that no audio gets through", async () => {
    const { driver, server, browser, until } = await openDriver();
    browser.cut();
    server.refuse("POST /media-connections", [503, "media-unavailable"]);
    driver.keepWarm();
    await vi.waitFor(() => expect(driver.obstacle()).toMatchObject({ code: "media-unavailable" }));
    await vi.waitFor(() => expect(driver.connectionId()).not.toBeNull());
    browser.peers.at(-1)?.become("failed");
    await vi.waitFor(() => expect(driver.obstacle()).toBe("no-way"));
    browser.mend();
    await until("ready");
    expect(driver.obstacle()).toBeNull();
  });
});
