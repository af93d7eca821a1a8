import { openRtpEndpoint, type RtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { loudness, shareAt, toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { encodeSound } from "@leadline/adapter-kit/rtp/g711";
import { createKeyListener } from "@leadline/adapter-kit/rtp/telephone-event";
import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { createLog } from "../../log.ts";
import { expectPure } from "../../testing/media/expect-pure.ts";
import { LegGone, type MediaPlane } from "../media-plane.ts";
import { announce } from "../announce.ts";
import { openMediaPlane } from "../open-media-plane.ts";
import { openSrtpFarEnd } from "../../testing/media/encrypting-far-end.ts";
import { openTestBrowser, type TestBrowser } from "../../testing/media/test-browser.ts";
import { roomsOf } from "../../testing/media/rooms-of.ts";

const telephoneEventType = 126;
let stage: Stage;
let port: number;
let plane: MediaPlane;
const rooms = roomsOf(() => plane);
const opened: { close(): unknown }[] = [];
const open = (): Promise<MediaPlane> =>
  openMediaPlane({ rtpengines: [{ host: "127.0.0.1", port }], mediaAddress: null }, createLog("fatal"), {
    maxThreads: 3,
    legsBeforeNext: 1,
  });

beforeAll(async () => {
  stage = await openStage();
  ({ port } = await stage.keep(startRtpengine(stage.peers, { folder: stage.folder })));
  plane = await open();
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});
afterAll(async () => {
  await plane.shutDown();
  await stage.close();
});

async function openBrowser(hz: number): Promise<TestBrowser> {
  const browser = await openTestBrowser();
  opened.push(browser);
  browser.sendTone(hz);
  return browser;
}

async function attach(browser: TestBrowser, options: { carrierLegId?: string } = {}): Promise<string> {
  const { legId, answer } = await plane.openBrowserLeg(browser.offer, options);
  await browser.acceptAnswer(answer);
  return legId;
}

/** Calls someone on that browser's line, who then sends audio. */
async function call<Called extends RtpEndpoint>(browserLegId: string, hz: number, called: Promise<Called>) {
  const farEnd = await called;
  const { legId, offer } = await plane.openCarrierLeg({ browserLegId });
  opened.push(farEnd, { close: () => plane.close(legId) });
  await rooms.talk(browserLegId, legId);
  farEnd.acceptAnswer(offer);
  await plane.acceptCarrierAnswer(legId, farEnd.offer);
  farEnd.sendTone(hz);
  return { farEnd, legId };
}

const openFarEnd = (): Promise<RtpEndpoint> => openRtpEndpoint({ telephoneEventType });

/** A rep who talks to a second callee while the first is on hold, carried by an rtpengine. */
async function talkOnTwoLines<First extends RtpEndpoint>(openFirst: () => Promise<First>, openSecond = openFarEnd) {
  const browser = await openBrowser(440);
  const browserLegId = await attach(browser);
  const first = await call(browserLegId, 1_000, openFirst());
  await expectPure(1_000, browser);
  await rooms.hold(first.legId, true);
  const second = await call(browserLegId, 700, openSecond());
  await expectPure(700, browser);
  return { browser, browserLegId, first, second };
}

async function expectTune(farEnd: RtpEndpoint): Promise<void> {
  await vi.waitFor(async () => {
    const heard = await farEnd.listen(1_000);
    expect(loudness(heard)).toBeGreaterThan(100);
    expect(shareAt(440, heard)).toBeLessThan(0.5);
  });
}

test("with rtpengines, server announcements and calls without a browser stay in this process", async () => {
  const farEnd = await openRtpEndpoint();
  opened.push(farEnd);
  const { legId: carrierLegId, offer } = await plane.openCarrierLeg();
  farEnd.acceptAnswer(offer);
  await plane.acceptCarrierAnswer(carrierLegId, farEnd.offer);
  const sentence = encodeSound(toneSamples(700, { from: 0, length: 16_000 }), "PCMU");
  const played = announce(plane, carrierLegId, sentence);
  await expectPure(700, farEnd);
  await played;

  const held = await attach(await openBrowser(700));
  await expect(rooms.talk(held, carrierLegId)).rejects.toThrow(LegGone);
  const own = await openBrowser(440);
  await rooms.talk(await attach(own, { carrierLegId }), carrierLegId);
  await expectPure(440, farEnd);
});

test("after a second call ends, the first continues in this process: it is still on hold, encrypted, and accepts DTMF", async () => {
  const { browser, browserLegId, first, second } = await talkOnTwoLines(openSrtpFarEnd);
  await expectTune(first.farEnd);
  await plane.close(second.legId);
  await expectTune(first.farEnd);
  await rooms.hold(first.legId, false);
  await rooms.talk(browserLegId, first.legId);
  first.farEnd.drawKey("AES_CM_128_HMAC_SHA1_32");
  await plane.acceptCarrierAnswer(first.legId, first.farEnd.offer);
  await expectPure(1_000, browser);
  await expectPure(440, first.farEnd);
  const { length } = first.farEnd.packets;
  const keyOf = createKeyListener();
  await plane.sendDigits(first.legId, "7");
  const keys = () =>
    first.farEnd.packets
      .slice(length)
      .filter(({ payloadType }) => payloadType === telephoneEventType)
      .map(keyOf)
      .filter((key) => key !== null);
  await vi.waitFor(() => expect(keys()).toEqual(["7"]));

  // With two consecutive calls, each is heard.
  const third = await call(browserLegId, 1_300, openFarEnd());
  await expectPure(1_300, browser);
  await plane.close(first.legId);
  await expectPure(440, third.farEnd);
  await plane.close(third.legId);
  const last = await call(browserLegId, 900, openFarEnd());
  await expectPure(900, browser);
  await expectPure(440, last.farEnd);
});

test("a browser that reconnects gets both calls, and hears whichever it is bridged to", async () => {
  const { first, second } = await talkOnTwoLines(openFarEnd);
  for (const { legId } of [second, first]) {
    const next = await openBrowser(600);
    const nextLegId = await attach(next, { carrierLegId: legId });
    await rooms.talk(nextLegId, second.legId);
    await expectPure(700, next);
    await expectPure(600, second.farEnd);
    await rooms.hold(first.legId, false);
    await rooms.meet([nextLegId, first.legId, second.legId]);
    await vi.waitFor(async () => expect(shareAt(600, await first.farEnd.listen(500))).toBeGreaterThan(0.2));
    if (legId === second.legId) {
      await rooms.hold(first.legId, true);
      continue;
    }
    // Once connected to each other, they leave, and the browser calls someone else.
    await rooms.meet([first.legId, second.legId]);
    await expectPure(1_000, second.farEnd);
    await plane.close(second.legId);
    await plane.close(first.legId);
    const { farEnd } = await call(nextLegId, 900, openFarEnd());
    await expectPure(900, next);
    await expectPure(600, farEnd);
  }
});

test("an encrypted second call resumes in another process, under new keys from there", async () => {
  const { browser, browserLegId, first, second } = await talkOnTwoLines(openFarEnd, openSrtpFarEnd);
  const snapshots = JSON.parse(JSON.stringify([first.legId, second.legId].map((legId) => plane.snapshot(legId))));
  const after = await open();
  const [, localLeg] = await after.restore(snapshots);
  expect(localLeg?.offer).toContain("a=crypto");
  if (!localLeg?.offer) throw new Error("the second call did not go on");
  second.farEnd.acceptAnswer(localLeg.offer);
  await after.acceptCarrierAnswer(localLeg.carrierLegId, second.farEnd.offer);
  const roomsAfter = roomsOf(after);
  await roomsAfter.talk(browserLegId, first.legId);
  await roomsAfter.hold(first.legId, true);
  await roomsAfter.talk(browserLegId, localLeg.carrierLegId);
  await expectPure(700, browser);
  await expectPure(440, second.farEnd);
  for (const legId of [first.legId, localLeg.carrierLegId, browserLegId]) await after.close(legId);
  await after.shutDown();
});
