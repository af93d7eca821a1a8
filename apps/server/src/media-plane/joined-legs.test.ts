import { setTimeout as sleep } from "node:timers/promises";

import { openRtpEndpoint, type RtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { loudness, shareAt } from "@leadline/adapter-kit/conformance/tone";
import type { SoundCodec } from "@leadline/adapter-kit/rtp/g711";
import { readRtpDescription, writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { writeRtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { openRtpSocket } from "@leadline/adapter-kit/rtp/rtp-socket";
import { createKeyListener } from "@leadline/adapter-kit/rtp/telephone-event";
import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { expectPure } from "../testing/media/expect-pure.ts";
import { createLog } from "../log.ts";
import { adaHz, bobHz, heardBy, repHz } from "../testing/media/heard-by.ts";
import type { MediaPlane } from "./media-plane.ts";
import { openMediaPlane } from "./open-media-plane.ts";
import { openTestBrowser, type TestBrowser } from "../testing/media/test-browser.ts";
import { createWeriftMediaPlane } from "./werift-media-plane.ts";
import { roomsOf } from "../testing/media/rooms-of.ts";

const patience = { interval: 20 };

const stages: Stage[] = [];
afterAll(async () => {
  for (const stage of stages) await stage.close();
});

async function openBesideRtpengine(): Promise<MediaPlane> {
  const stage = await openStage();
  stages.push(stage);
  const { port } = await stage.keep(startRtpengine(stage.peers, { folder: stage.folder }));
  return openMediaPlane({ rtpengines: [{ host: "127.0.0.1", port }], mediaAddress: null }, createLog("fatal"));
}

describe.each([
  { where: "in this process", open: () => createWeriftMediaPlane(), isOneStream: true },
  { where: "of whom an rtpengine carries the rep and the first", open: openBesideRtpengine, isOneStream: false },
])("a rep and two far ends in one room, $where", ({ open, isOneStream }) => {
  let plane: MediaPlane;
  const rooms = roomsOf(() => plane);
  let rep: TestBrowser;
  let browserLegId: string;
  let ada: RtpEndpoint;
  let bob: RtpEndpoint;
  let adaLegId: string;
  let bobLegId: string;

  async function attachFarEnd(codec: SoundCodec) {
    const farEnd = await openRtpEndpoint({ codecs: [codec], telephoneEventType: 97 });
    const { legId, offer } = await plane.openCarrierLeg({ browserLegId });
    farEnd.acceptAnswer(offer);
    await plane.acceptCarrierAnswer(legId, farEnd.offer);
    return { farEnd, legId };
  }

  beforeAll(async () => {
    plane = await open();
    const connected = new Promise<void>((resolve) =>
      plane.onBrowserLegState(({ state }) => state === "connected" && resolve()),
    );
    rep = await openTestBrowser();
    const { legId, answer } = await plane.openBrowserLeg(rep.offer);
    browserLegId = legId;
    await rep.acceptAnswer(answer);
    await connected;
    ({ farEnd: ada, legId: adaLegId } = await attachFarEnd("PCMU"));
    ({ farEnd: bob, legId: bobLegId } = await attachFarEnd("PCMA"));
    await rooms.talk(browserLegId, adaLegId);
    rep.sendTone(repHz);
    ada.sendTone(adaHz);
    bob.sendTone(bobHz);
  });
  afterAll(async () => {
    ada.close();
    bob.close();
    await rep.close();
    await plane.shutDown();
  });

  it("start with one line bridged while the other hears hold music", async () => {
    expect(await heardBy(ada, repHz)).toEqual([repHz]);
    await rooms.hold(adaLegId, true);
    await rooms.talk(browserLegId, bobLegId);
    expect(await heardBy(bob, repHz)).toEqual([repHz]);
    expect(await heardBy(rep, bobHz)).toEqual([bobHz]);
    expect(await heardBy(ada)).toEqual([]);
    await rooms.hold(adaLegId, false);
    await rooms.meet([browserLegId, adaLegId, bobLegId]);
  });

  it("each hear the two others and not themselves, on µ-law and A-law alike", async () => {
    expect(await heardBy(rep, adaHz, bobHz)).toEqual([adaHz, bobHz]);
    expect(await heardBy(ada, repHz, bobHz)).toEqual([repHz, bobHz]);
    expect(await heardBy(bob, repHz, adaHz)).toEqual([repHz, adaHz]);
    for (const [listener, own] of [
      [rep, repHz],
      [ada, adaHz],
      [bob, bobHz],
    ] as const)
      expect(shareAt(own, await listener.listen(300))).toBeLessThan(0.02);
  });

  it("continue without the one on hold, who hears the music", async () => {
    await rooms.hold(adaLegId, true);
    expect(await heardBy(rep, bobHz)).toEqual([bobHz]);
    expect(await heardBy(bob, repHz)).toEqual([repHz]);
    expect(await heardBy(ada)).toEqual([]);
    expect(loudness(await ada.listen(500))).toBeGreaterThan(50);
    await rooms.hold(adaLegId, false);
    expect(await heardBy(bob, repHz, adaHz)).toEqual([repHz, adaHz]);
  });

  it("don't hear a silenced far end, which still hears them", async () => {
    await rooms.silence(bobLegId, true);
    expect(await heardBy(rep, adaHz)).toEqual([adaHz]);
    expect(await heardBy(ada, repHz)).toEqual([repHz]);
    expect(await heardBy(bob, repHz, adaHz)).toEqual([repHz, adaHz]);
    await rooms.silence(bobLegId, false);
    expect(await heardBy(rep, adaHz, bobHz)).toEqual([adaHz, bobHz]);
  });

  it("don't hear a muted rep, and hear each other", async () => {
    await Promise.all([adaLegId, bobLegId].map((legId) => rooms.mute(legId, true)));
    expect(await heardBy(ada, bobHz)).toEqual([bobHz]);
    expect(await heardBy(bob, adaHz)).toEqual([adaHz]);
    await Promise.all([adaLegId, bobLegId].map((legId) => rooms.mute(legId, false)));
    expect(await heardBy(bob, repHz, adaHz)).toEqual([repHz, adaHz]);
  });

  it("pass one far end's DTMF digits to the other, once each", async () => {
    const hearKey = createKeyListener();
    const from = bob.packets.length;
    ada.sendKeys("42");
    await vi.waitFor(() => {
      const events = bob.packets.slice(from).filter(({ payloadType }) => payloadType === 97);
      expect(events.length).toBeGreaterThanOrEqual(18);
    }, patience);
    const keys = bob.packets.slice(from).filter(({ payloadType }) => payloadType === 97);
    expect(keys.map(hearKey).filter((key) => key !== null)).toEqual(["4", "2"]);
  });

  it("pass on DTMF digits from a caller with its own telephone-event payload type", async () => {
    const caller = await openRtpEndpoint({ telephoneEventType: 96 });
    const { legId, offer } = await plane.openCarrierLeg();
    // For an inbound call, our answer contains the payload type.
    caller.acceptAnswer(offer.replaceAll("101", "96"));
    await plane.acceptCarrierAnswer(legId, caller.offer);
    await rooms.meet([legId, bobLegId]);
    const from = bob.packets.length;
    caller.sendKeys("7");
    const keys = (): (string | null)[] =>
      bob.packets.slice(from).flatMap((packet) => (packet.payloadType === 97 ? [createKeyListener()(packet)] : []));
    await vi.waitFor(() => expect(keys()).toContain("7"), patience);
    caller.close();
    await plane.close(legId);
    await rooms.meet([browserLegId, adaLegId, bobLegId]);
  });

  it("hear each other immediately after a far end leaves with more digits queued than can be passed on", async () => {
    const hostile = await openRtpSocket("127.0.0.1");
    const { address: host, port } = hostile.address();
    const { legId, offer } = await plane.openCarrierLeg();
    await plane.acceptCarrierAnswer(
      legId,
      writeRtpDescription({ host, port, codecs: ["PCMU"], telephoneEventType: 101 }),
    );
    await rooms.meet([bobLegId, legId]);
    const from = bob.packets.length;
    const payload = Buffer.from([1, 10, 0, 160]);
    for (let i = 1; i <= 300; i++) {
      const packet = { payloadType: 101, marker: true, sequenceNumber: i, timestamp: i * 160, ssrc: 7, payload };
      hostile.send(writeRtpPacket(packet), readRtpDescription(offer)?.port, "127.0.0.1");
    }
    const keyPackets = (): number => bob.packets.slice(from).filter(({ payloadType }) => payloadType === 97).length;
    await vi.waitFor(() => expect(keyPackets()).toBeGreaterThan(0), patience);
    await rooms.meet([browserLegId, adaLegId, bobLegId]);
    // 300 digits are 54 s of tones.
    expect(await heardBy(bob, repHz, adaHz)).toEqual([repHz, adaHz]);
    hostile.close();
    await plane.close(legId);
  });

  it("send nothing more to a rep who is the last one in the room", async () => {
    // An rtpengine doesn't report what it has sent.
    if (!isOneStream) return;
    const { farEnd, legId } = await attachFarEnd("PCMU");
    await rooms.meet([browserLegId, legId]);
    const sent = async (): Promise<number> => (await plane.stats(browserLegId))?.packetsSent ?? 0;
    const before = await sent();
    await vi.waitFor(async () => expect(await sent()).toBeGreaterThan(before), patience);
    await plane.close(legId);
    farEnd.close();
    const last = await sent();
    await sleep(500);
    expect(await sent()).toBe(last);
    await rooms.meet([browserLegId, adaLegId, bobLegId]);
  });

  it("hear one of the two again once that one is bridged, in an unbroken stream", async () => {
    await rooms.talk(browserLegId, adaLegId);
    await expectPure(repHz, ada);
    await expectPure(adaHz, rep);
    expect(loudness(await bob.listen(300))).toBeLessThan(10);
    // An rtpengine passes on the browser's own stream, then the relay leg's.
    if (!isOneStream) return;
    expect(new Set(ada.packets.map(({ ssrc }) => ssrc)).size).toBe(1);
    const numbers = ada.packets.map(({ sequenceNumber }) => sequenceNumber);
    expect(numbers.every((each, i) => i === 0 || each === ((numbers[i - 1] ?? 0) + 1) % 65_536)).toBe(true);
  });

  it("leave two far ends connected after the browser's leg closes", async () => {
    await rooms.meet([adaLegId, bobLegId]);
    await plane.close(browserLegId);
    await expectPure(bobHz, ada);
    await expectPure(adaHz, bob);
    await plane.close(bobLegId);
    await vi.waitFor(async () => expect(loudness(await ada.listen(300))).toBeLessThan(10), patience);
  });
});
