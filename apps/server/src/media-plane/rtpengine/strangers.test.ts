import { createSocket } from "node:dgram";
import { once } from "node:events";

import { openRtpEndpoint, type RtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { loudness, toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { encodeSound, samplesPerPacket } from "@leadline/adapter-kit/rtp/g711";
import { readRtpDescription, writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { writeRtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { createRtpSender } from "@leadline/adapter-kit/rtp/rtp-sender";
import { startTicker } from "@leadline/adapter-kit/rtp/ticker";
import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";

import { expectPure } from "../../testing/media/expect-pure.ts";
import type { LegPlane } from "../media-plane.ts";
import { openTestBrowser } from "../../testing/media/test-browser.ts";
import { createRtpenginePlane } from "./rtpengine-plane.ts";
import { roomsOf } from "../../testing/media/rooms-of.ts";

const repHz = 440;
const farHz = 1_000;
const strangerHz = 1_900;
let stage: Stage;
let plane: LegPlane;
const rooms = roomsOf(() => plane);
const opened: { close(): unknown }[] = [];

beforeAll(async () => {
  stage = await openStage();
  const { port } = await stage.keep(startRtpengine(stage.peers, { folder: stage.folder }));
  plane = await createRtpenginePlane([{ host: "127.0.0.1", port }], { log: { info: () => {}, warn: () => {} } });
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});
afterAll(async () => {
  await plane.shutDown();
  await stage.close();
});

/** A sender on another machine that sends a tone to a port. */
async function openStranger(port: number) {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.2");
  await once(socket, "listening");
  const sender = createRtpSender();
  let heard = 0;
  let from = 0;
  socket.on("message", () => void heard++);
  const ticker = startTicker(() => {
    const sound = encodeSound(toneSamples(strangerHz, { from, length: samplesPerPacket }), "PCMU");
    from += samplesPerPacket;
    socket.send(writeRtpPacket(sender.sound(0, sound)), port, "127.0.0.1");
  });
  const stranger = {
    heard: () => heard,
    close(): void {
      ticker.stop();
      socket.close();
    },
  };
  opened.push(stranger);
  return stranger;
}

async function ringFarEnd() {
  const browser = await openTestBrowser();
  const { legId: browserLegId, answer } = await plane.openBrowserLeg(browser.offer);
  await browser.acceptAnswer(answer);
  browser.sendTone(repHz);
  const { legId: carrierLegId, offer } = await plane.openCarrierLeg({ browserLegId });
  opened.push(browser, { close: () => plane.close(carrierLegId) }, { close: () => plane.close(browserLegId) });
  await rooms.talk(browserLegId, carrierLegId);
  const port = readRtpDescription(offer)?.port ?? 0;
  return { browser, carrierLegId, offer, port };
}

async function openFarEnd(hz: number): Promise<RtpEndpoint> {
  const farEnd = await openRtpEndpoint();
  farEnd.sendTone(hz);
  opened.push(farEnd);
  return farEnd;
}

const packetsUntil = (farEnd: RtpEndpoint, count: number) =>
  vi.waitFor(() => expect(farEnd.packets.length).toBeGreaterThan(count));

it("a stranger that sends to a far end's port hears nothing, is soon ignored, and stays ignored when the far end moves", async () => {
  const { browser, carrierLegId, offer, port } = await ringFarEnd();
  const farEnd = await openFarEnd(farHz);
  farEnd.acceptAnswer(offer);
  await plane.acceptCarrierAnswer(carrierLegId, farEnd.offer);
  await expectPure(farHz, browser);
  const stranger = await openStranger(port);
  // Twice as long as the rtpengine takes to learn the far end's address.
  await packetsUntil(farEnd, 300);
  await expectPure(repHz, farEnd);
  await expectPure(farHz, browser);
  expect(stranger.heard()).toBe(0);

  const moved = await openFarEnd(700);
  moved.acceptAnswer(offer);
  await plane.acceptCarrierAnswer(carrierLegId, moved.offer);
  // While the rtpengine looks for the new port, a packet may still go to the old one.
  await packetsUntil(moved, 200);
  const given = stranger.heard();
  await expectPure(repHz, moved);
  await expectPure(700, browser);
  expect(stranger.heard()).toBe(given);
});

it("a stranger that sends while a far end is silent loses the call to it", async () => {
  const { browser, carrierLegId, offer, port } = await ringFarEnd();
  const farEnd = await openFarEnd(farHz);
  await plane.acceptCarrierAnswer(carrierLegId, farEnd.offer);
  await packetsUntil(farEnd, 200);
  const stranger = await openStranger(port);
  await vi.waitFor(async () => {
    const heard = stranger.heard();
    await packetsUntil(farEnd, farEnd.packets.length + 50);
    expect(stranger.heard()).toBe(heard);
  });
  await vi.waitFor(async () => expect(loudness(await browser.listen(300))).toBe(0));
  farEnd.acceptAnswer(offer);
  await expectPure(farHz, browser);
  await expectPure(repHz, farEnd);
});

it("a far end behind a NAT is heard although it names a private address, and keeps the call", async () => {
  const { browser, carrierLegId, offer, port } = await ringFarEnd();
  const farEnd = await openFarEnd(farHz);
  farEnd.acceptAnswer(offer);
  const named = readRtpDescription(farEnd.offer);
  if (!named) throw new Error("the far end describes nothing");
  await plane.acceptCarrierAnswer(carrierLegId, writeRtpDescription({ ...named, host: "192.168.7.7", port: 4_000 }));
  await packetsUntil(farEnd, 200);
  await expectPure(repHz, farEnd);
  const stranger = await openStranger(port);
  await expectPure(farHz, browser);
  await expectPure(repHz, farEnd);
  expect(stranger.heard()).toBe(0);
});
