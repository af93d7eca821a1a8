import { openRtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { loudness } from "@leadline/adapter-kit/conformance/tone";
import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { type Rtpengine, startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

import { expectPure } from "../../testing/media/expect-pure.ts";
import { LegGone, type LegPlane, UnusableOffer } from "../media-plane.ts";
import { openTestBrowser, type TestBrowser } from "../../testing/media/test-browser.ts";
import { openLossyPath } from "../../testing/media/lossy-path.ts";
import { openNgClient } from "./ng-client.ts";
import { createRtpenginePlane } from "./rtpengine-plane.ts";
import { roomsOf } from "../../testing/media/rooms-of.ts";

const log = { info: () => {}, warn: () => {} };
let stage: Stage;
let node: Rtpengine;
let path: Awaited<ReturnType<typeof openLossyPath>>;
let plane: LegPlane;
const rooms = roomsOf(() => plane);
const closed: string[] = [];
const opened: { close(): unknown }[] = [];

beforeAll(async () => {
  stage = await openStage();
  node = await stage.keep(startRtpengine(stage.peers, { folder: stage.folder }));
});
beforeEach(async () => {
  path = await openLossyPath(node);
  plane = await createRtpenginePlane([path], { log });
  closed.length = 0;
  plane.onBrowserLegState(({ legId, state }) => state === "closed" && closed.push(legId));
});
afterEach(async () => {
  path.loseNothing();
  await Promise.all(opened.splice(0).map((each) => each.close()));
  await plane.shutDown();
  path.close();
});
afterAll(async () => {
  await stage.close();
});

async function newBrowser(): Promise<TestBrowser> {
  const browser = await openTestBrowser();
  opened.push(browser);
  return browser;
}

async function attachBrowser() {
  const browser = await newBrowser();
  const { legId: browserLegId, answer } = await plane.openBrowserLeg(browser.offer);
  opened.push({ close: () => plane.close(browserLegId) });
  await browser.acceptAnswer(answer);
  return { browser, browserLegId };
}

/** Sends audio from both ends and checks that it is heard. */
async function startCall() {
  const { browser, browserLegId } = await attachBrowser();
  const farEnd = await openRtpEndpoint();
  const { legId: carrierLegId, offer } = await plane.openCarrierLeg({ browserLegId });
  opened.push(farEnd, { close: () => plane.close(carrierLegId) });
  await rooms.talk(browserLegId, carrierLegId);
  farEnd.acceptAnswer(offer);
  await plane.acceptCarrierAnswer(carrierLegId, farEnd.offer);
  browser.sendTone(440);
  farEnd.sendTone(1_000);
  await expectPure(440, farEnd);
  await expectPure(1_000, browser);
  return { browser, browserLegId, farEnd, carrierLegId };
}

async function countSessions(): Promise<number> {
  const client = await openNgClient({ host: "127.0.0.1", port: node.port });
  const answer = await client.ask("list", { limit: 100 });
  client.close();
  return Array.isArray(answer["calls"]) ? answer["calls"].length : -1;
}

it("a command that an rtpengine leaves unanswered fails alone: its calls continue, and a retry works", async () => {
  await attachBrowser();
  const { browser, farEnd, carrierLegId } = await startCall();
  path.loseCommand("play media");
  await expect(rooms.hold(carrierLegId, true)).rejects.toThrow(LegGone);
  await rooms.hold(carrierLegId, false);
  await expectPure(440, farEnd);
  await expectPure(1_000, browser);
  expect(closed).toEqual([]);

  path.loseNothing();
  await rooms.hold(carrierLegId, true);
  await vi.waitFor(async () => expect((await browser.listen(300)).length).toBe(0));
  await rooms.hold(carrierLegId, false);
  await expectPure(440, farEnd);
  await expectPure(1_000, browser);
});

it.each(["stop media", "unblock media"])(
  "audio returns although the reply to %s was lost, without a second request",
  async (command) => {
    const { browser, farEnd, carrierLegId } = await startCall();
    await rooms.hold(carrierLegId, true);
    path.loseAnswerTo(command);
    await expect(rooms.hold(carrierLegId, false)).rejects.toThrow(LegGone);
    path.loseNothing();
    await expectPure(440, farEnd);
    await expectPure(1_000, browser);
  },
);

it("audio returns although the reply to the command that would have blocked it was lost", async () => {
  const { browser, farEnd, carrierLegId } = await startCall();
  path.loseAnswerTo("block media");
  await expect(rooms.hold(carrierLegId, true)).rejects.toThrow(LegGone);
  path.loseNothing();
  await rooms.hold(carrierLegId, false);
  await expectPure(440, farEnd);
  await expectPure(1_000, browser);
});

it("a browser connects through another rtpengine if one only replies to session counts", async () => {
  const second = await stage.keep(startRtpengine(stage.peers, { folder: stage.folder }));
  const both = await createRtpenginePlane([path, { host: "127.0.0.1", port: second.port }], { log });
  opened.push({ close: () => both.shutDown() });
  path.loseCommand("offer");
  const browser = await newBrowser();
  expect((await both.openBrowserLeg(browser.offer)).answer).toContain("m=audio");
});

it("a carrier leg that an rtpengine fails to open leaves the browser leg free for the next", async () => {
  const { browserLegId } = await attachBrowser();
  path.loseCommand("query");
  await expect(plane.openCarrierLeg({ browserLegId })).rejects.toThrow(LegGone);
  path.loseNothing();
  const twice = await Promise.allSettled([1, 2].map(() => plane.openCarrierLeg({ browserLegId })));
  expect(twice.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

it("an offer that every rtpengine refuses is unusable, leaves no session behind, and doesn't touch a live call's audio", async () => {
  const { browser, farEnd, carrierLegId } = await startCall();
  const { offer } = await newBrowser();
  const before = await countSessions();
  for (const bad of [
    offer.replaceAll(/a=fingerprint:.*/g, "a=fingerprint:sha-256 nonsense"),
    offer.replaceAll(/a=setup:.*/g, "a=setup:nonsense"),
    offer.replaceAll(/\b126\b/g, "99999999"),
  ]) {
    await expect(plane.openBrowserLeg(bad)).rejects.toThrow(UnusableOffer);
    await expect(plane.openBrowserLeg(bad, { carrierLegId })).rejects.toThrow(UnusableOffer);
  }
  expect(await countSessions()).toBe(before);
  await expectPure(440, farEnd);
  await expectPure(1_000, browser);
});

it("a far end whose browser is gone hears silence, even over a path that drops large packets", async () => {
  const { browserLegId, farEnd } = await startCall();
  path.lose(({ length }) => length > 1_200);
  await plane.close(browserLegId);
  await vi.waitFor(async () => {
    const heard = await farEnd.listen(500);
    expect(heard.length).toBeGreaterThan(3_000);
    expect(loudness(heard)).toBeLessThan(10);
  });
  expect(closed).toEqual([browserLegId]);
});
