import { setTimeout as sleep } from "node:timers/promises";

import { openRtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { loudness, shareAt } from "@leadline/adapter-kit/conformance/tone";
import type { SoundCodec } from "@leadline/adapter-kit/rtp/g711";
import { createKeyListener } from "@leadline/adapter-kit/rtp/telephone-event";
import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { type Rtpengine, startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { expectPure } from "../../testing/media/expect-pure.ts";
import { type BrowserLegState, LegGone, type LegPlane, NoMediaServer, UnusableOffer } from "../media-plane.ts";
import { openTestBrowser, type TestBrowser } from "../../testing/media/test-browser.ts";
import { createRtpenginePlane } from "./rtpengine-plane.ts";
import { roomsOf } from "../../testing/media/rooms-of.ts";

const log = { info: () => {}, warn: () => {} };
const telephoneEventType = 126;
let stage: Stage;
let nodes: Rtpengine[];
let plane: LegPlane;
const rooms = roomsOf(() => plane);
const states: { legId: string; state: BrowserLegState }[] = [];
const opened: { close(): unknown }[] = [];

const startNode = (port?: number): Promise<Rtpengine> =>
  stage.keep(startRtpengine(stage.peers, { folder: stage.folder, ...(port !== undefined && { port }) }));
const at = ({ port }: Rtpengine) => ({ host: "127.0.0.1", port });
const stateOf = (legId: string): BrowserLegState | undefined => states.findLast((each) => each.legId === legId)?.state;

beforeAll(async () => {
  stage = await openStage();
  nodes = await Promise.all([startNode(), startNode()]);
  plane = await createRtpenginePlane(nodes.map(at), { log });
  plane.onBrowserLegState((change) => states.push(change));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});
afterAll(async () => {
  await plane.shutDown();
  await stage.close();
});

async function attachBrowser(carrierLegId?: string): Promise<{ browser: TestBrowser; browserLegId: string }> {
  const browser = await openTestBrowser();
  const { legId, answer } = await plane.openBrowserLeg(
    browser.offer,
    carrierLegId === undefined ? {} : { carrierLegId },
  );
  opened.push(browser, { close: () => plane.close(legId) });
  await browser.acceptAnswer(answer);
  return { browser, browserLegId: legId };
}

/** A call that has been answered by its far end. */
async function startCall(codec: SoundCodec = "PCMU") {
  const { browser, browserLegId } = await attachBrowser();
  const farEnd = await openRtpEndpoint({ codecs: [codec], telephoneEventType });
  const { legId: carrierLegId, offer } = await plane.openCarrierLeg({ browserLegId });
  opened.push(farEnd, { close: () => plane.close(carrierLegId) });
  await rooms.talk(browserLegId, carrierLegId);
  expect(offer).toContain("c=IN IP4 127.0.0.1");
  farEnd.acceptAnswer(offer);
  await plane.acceptCarrierAnswer(carrierLegId, farEnd.offer);
  await vi.waitFor(() => expect(stateOf(browserLegId)).toBe("connected"));
  return { browser, browserLegId, farEnd, carrierLegId, carrierOffer: offer };
}

const keysIn = ({ packets }: { packets: { payloadType: number; payload: Buffer; timestamp: number }[] }) =>
  packets
    .filter(({ payloadType }) => payloadType === telephoneEventType)
    .map(createKeyListener() as never)
    .filter((key) => key !== null);

describe("audio through an rtpengine", () => {
  it("flows both ways, is silent on mute, is music on hold, and DTMF digits arrive exactly once", async () => {
    const { browser, farEnd, carrierLegId } = await startCall();
    browser.sendTone(440);
    farEnd.sendTone(1_000);
    await expectPure(440, farEnd);
    await expectPure(1_000, browser);

    await rooms.mute(carrierLegId, true);
    await sleep(200);
    const muted = await farEnd.listen(500);
    expect(muted.length).toBeGreaterThan(2_000);
    expect(loudness(muted)).toBeLessThan(10);
    await rooms.mute(carrierLegId, false);
    await expectPure(440, farEnd);

    await rooms.hold(carrierLegId, true);
    await sleep(300);
    const [tune, nothing] = await Promise.all([farEnd.listen(1_500), browser.listen(1_500)]);
    expect(loudness(tune)).toBeGreaterThan(100);
    expect(loudness(tune)).toBeLessThan(4_000);
    expect(shareAt(440, tune)).toBeLessThan(0.5);
    expect(nothing.length).toBe(0);
    await rooms.hold(carrierLegId, false);
    await expectPure(440, farEnd);
    await expectPure(1_000, browser);

    await plane.sendDigits(carrierLegId, "19#");
    await vi.waitFor(() => expect(keysIn(farEnd)).toEqual(["1", "9", "#"]));
    await expectPure(440, farEnd);
    expect(keysIn(farEnd)).toEqual(["1", "9", "#"]);
    await expect(plane.sendDigits(carrierLegId, "x")).rejects.toThrow("not a telephone key");
  });

  it("flows with a far end that only accepts PCMA", async () => {
    const { browser, farEnd } = await startCall("PCMA");
    browser.sendTone(440);
    await expectPure(440, farEnd);
    expect(farEnd.packets.at(-1)?.payloadType).toBe(8);
    farEnd.sendTone(1_000);
    await expectPure(1_000, browser);
  });

  it("moves to a browser that reconnects, and is silence for the far end while there is none", async () => {
    const { browser: former, browserLegId: formerLegId, farEnd, carrierLegId } = await startCall();
    former.sendTone(440);
    farEnd.sendTone(1_000);
    await expectPure(440, farEnd);

    const held = await attachBrowser();
    await expect(rooms.talk(held.browserLegId, carrierLegId)).rejects.toThrow(LegGone);

    const { browser: next, browserLegId } = await attachBrowser(carrierLegId);
    expect(stateOf(formerLegId)).toBe("connected");
    next.sendTone(700);
    await rooms.talk(browserLegId, carrierLegId);
    await expectPure(700, farEnd);
    await expectPure(1_000, next);
    await vi.waitFor(() => expect(stateOf(formerLegId)).toBe("closed"));

    await rooms.hold(carrierLegId, true);
    const { browserLegId: lastLegId } = await attachBrowser(carrierLegId);
    await rooms.talk(lastLegId, carrierLegId);
    await sleep(300);
    expect(loudness(await farEnd.listen(1_500))).toBeGreaterThan(100);
    await rooms.hold(carrierLegId, false);

    await plane.close(lastLegId);
    expect(stateOf(lastLegId)).toBe("closed");
    await vi.waitFor(async () => {
      const away = await farEnd.listen(500);
      expect(away.length).toBeGreaterThan(3_000);
      expect(loudness(away)).toBeLessThan(10);
    });
    expect((await plane.stats(carrierLegId))?.packetsReceived).toBeGreaterThan(50);
  });

  it("flows again after an ICE restart finds a new path", async () => {
    const { browser, browserLegId, farEnd } = await startCall();
    browser.sendTone(440);
    farEnd.sendTone(1_000);
    await expectPure(440, farEnd);
    const { answer } = await plane.restartBrowserLeg(browserLegId, await browser.restartOffer());
    await browser.acceptAnswer(answer);
    void browser.connection.iceTransports[0]?.start();
    await expectPure(440, farEnd);
    await expectPure(1_000, browser);
    const other = await openTestBrowser();
    opened.push(other);
    await expect(plane.restartBrowserLeg(browserLegId, other.offer)).rejects.toThrow(UnusableOffer);
  });

  it("stays separate for consecutive calls on one browser leg", async () => {
    const { browser, browserLegId, farEnd: first, carrierLegId } = await startCall();
    browser.sendTone(440);
    first.sendTone(1_000);
    await expectPure(1_000, browser);
    await plane.close(carrierLegId);
    const { length } = first.packets;
    expect(loudness(await browser.listen(500))).toBe(0);

    const second = await openRtpEndpoint({ telephoneEventType });
    opened.push(second);
    const { legId, offer } = await plane.openCarrierLeg({ browserLegId });
    await rooms.talk(browserLegId, legId);
    second.acceptAnswer(offer);
    second.sendTone(700);
    await plane.acceptCarrierAnswer(legId, second.offer);
    await expectPure(440, second);
    await expectPure(700, browser);
    expect(first.packets.length - length).toBeLessThan(5);
    await expect(plane.openCarrierLeg({ browserLegId })).rejects.toThrow(LegGone);
    await plane.close(legId);
  });
});

describe("a pool of rtpengines", () => {
  it("spreads calls, loses only those of an rtpengine that dies, and rejects new ones once none is left", async () => {
    const own = await Promise.all([startNode(), startNode()]);
    const pool = await createRtpenginePlane(own.map(at), { log });
    const browsers = await Promise.all([openTestBrowser(), openTestBrowser(), openTestBrowser()]);
    opened.push(...browsers, { close: () => pool.shutDown() });
    const closed: string[] = [];
    pool.onBrowserLegState(({ legId, state }) => state === "closed" && closed.push(legId));
    const legIds: string[] = [];
    const carrierLegIds: string[] = [];
    for (const { offer } of browsers.slice(0, 2)) {
      const { legId: browserLegId } = await pool.openBrowserLeg(offer);
      legIds.push(browserLegId);
      carrierLegIds.push((await pool.openCarrierLeg({ browserLegId })).legId);
    }

    own[0]?.process.kill("SIGKILL");
    await vi.waitFor(() => expect(closed).toHaveLength(1));
    const isDead = legIds.map((legId) => closed.includes(legId));
    const stats = await Promise.all(carrierLegIds.map((legId) => pool.stats(legId)));
    expect(stats.map((each) => each === null)).toEqual(isDead);
    expect((await pool.openBrowserLeg(browsers[2]?.offer ?? "")).answer).toContain("m=audio");

    own[1]?.process.kill("SIGKILL");
    await vi.waitFor(() => expect(closed).toHaveLength(3));
    await expect(pool.openBrowserLeg(browsers[2]?.offer ?? "")).rejects.toThrow(NoMediaServer);

    await startNode(own[0]?.port);
    await vi.waitFor(async () => expect((await pool.openBrowserLeg(browsers[2]?.offer ?? "")).answer).toContain("m="));
  });
});
