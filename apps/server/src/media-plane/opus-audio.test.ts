import { openRtpEndpoint, type RtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { loudness, shareAt, toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { encodeSound } from "@leadline/adapter-kit/rtp/g711";
import { readRtpDescription, writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { createKeyListener } from "@leadline/adapter-kit/rtp/telephone-event";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { expectPure } from "../testing/media/expect-pure.ts";
import type { MediaPlane } from "./media-plane.ts";
import { openTestBrowser, type TestBrowser } from "../testing/media/test-browser.ts";
import { createWeriftMediaPlane } from "./werift-media-plane.ts";
import { createSoundDecoder, createSoundEncoder } from "./worker/audio-codecs.ts";
import { roomsOf } from "../testing/media/rooms-of.ts";

const nearHz = 440;
const farHz = 1_000;
const otherHz = 1_500;
/** A far end's own payload types. */
const ownNumbers = { payloadType: 98, telephoneEventType: 99 };
const patience = { interval: 20 };

/** A phone that prefers Opus. */
function openOpusPhone(numbers = ownNumbers): Promise<RtpEndpoint> {
  const [encoder, decoder] = [createSoundEncoder(), createSoundDecoder()];
  let at = 0;
  return openRtpEndpoint({
    codecs: ["opus", "PCMU"],
    telephoneEventType: 97,
    opus: {
      ...numbers,
      encode: (samples) => encoder.encode(samples, "opus") ?? Buffer.alloc(0),
      decode(payload) {
        const packet = { payloadType: 0, marker: false, ssrc: 1, sequenceNumber: at, timestamp: at++ * 960, payload };
        return decoder.read(packet, "opus")?.samples ?? new Int16Array();
      },
    },
  });
}

/**
 * Checks that sequence numbers have no gap and that timestamps advance by the length of each packet. Only a key's later
 * packets may fall behind: they keep its timestamp if silence was sent between them (RFC 4733, section 2.5.1.2).
 */
function breaks(packets: readonly RtpPacket[]): string[] {
  const keys = new Set<number>();
  let latest: number | null = null;
  return packets.flatMap(({ payloadType, sequenceNumber, timestamp }, i) => {
    const before = packets[i - 1];
    const isNext = !before || sequenceNumber === ((before.sequenceNumber + 1) & 0xffff);
    const isKey = payloadType === ownNumbers.telephoneEventType;
    if (isKey && keys.has(timestamp) && isNext) return [];
    if (isKey) keys.add(timestamp);
    const step = latest === null ? 0 : (timestamp - latest) | 0;
    latest = timestamp;
    return isNext && step >= 0 && step < 480_000 ? [] : [`${before?.sequenceNumber}→${sequenceNumber}: ${step}`];
  });
}

/** Whether these packets arrived byte for byte as sent, consecutive and 20 ms apart. */
function passedOn(sent: readonly RtpPacket[], arrived: readonly RtpPacket[]): boolean {
  const isSame = (start: number): boolean =>
    sent.every(({ payload }, i) => {
      const packet = arrived[start + i];
      const passed = ((packet?.timestamp ?? 0) - (arrived[start]?.timestamp ?? 0)) >>> 0;
      return packet?.payload.equals(payload) === true && passed === i * 960;
    });
  return sent.length > 0 && arrived.some((_, start) => isSame(start));
}

describe("a call whose far end speaks Opus", () => {
  let plane: MediaPlane;
  const rooms = roomsOf(() => plane);
  let browser: TestBrowser;
  let browserLegId: string;
  let phone: RtpEndpoint;
  let legId: string;
  let offer: string;
  const closing: { close(): unknown }[] = [];

  async function attach(farEnd: RtpEndpoint) {
    closing.push(farEnd);
    const leg = await plane.openCarrierLeg();
    farEnd.acceptAnswer(leg.offer);
    await plane.acceptCarrierAnswer(leg.legId, farEnd.offer);
    return leg;
  }

  beforeAll(async () => {
    plane = await createWeriftMediaPlane();
    const connected = new Promise<void>((resolve) =>
      plane.onBrowserLegState(({ state }) => state === "connected" && resolve()),
    );
    browser = await openTestBrowser({ opus: true });
    const near = await plane.openBrowserLeg(browser.offer);
    browserLegId = near.legId;
    await browser.acceptAnswer(near.answer);
    await connected;
    phone = await openOpusPhone();
    ({ legId, offer } = await attach(phone));
    await rooms.talk(browserLegId, legId);
    browser.sendTone(nearHz);
    phone.sendTone(farHz);
  });
  afterAll(async () => {
    for (const each of closing) each.close();
    await browser.close();
    await plane.shutDown();
  });

  it("is offered Opus last, with telephone-quality parameters and telephone events at its clock rate", () => {
    expect(offer).toContain("m=audio");
    expect(offer.match(/^m=audio \d+ RTP\/AVP (.*)\r$/m)?.[1]).toBe("0 8 9 111 110 101");
    expect(offer).toContain("a=rtpmap:111 opus/48000/2\r\n");
    expect(offer).toContain("a=fmtp:111 maxplaybackrate=16000;useinbandfec=1\r\n");
    expect(offer).toContain("a=rtpmap:110 telephone-event/48000\r\n");
    expect(offer).toContain("a=rtpmap:101 telephone-event/8000\r\n");
  });

  it("is heard at both ends while the browser stays on G.711", async () => {
    await expectPure(nearHz, phone);
    await expectPure(farHz, browser);
    expect(phone.packets.at(-1)?.payloadType).toBe(ownNumbers.payloadType);
  });

  it("passes Opus through untouched in both directions once the browser speaks it, in the same unbroken streams", async () => {
    browser.speak("opus");
    for (const [from, to] of [
      [browser.sent, phone.packets],
      [phone.sent, browser.packets],
    ] as const)
      await vi.waitFor(() => expect(passedOn(from.slice(-25, -10), to)).toBe(true), patience);
    expect(browser.packets.at(-1)?.payloadType).toBe(111);
    await expectPure(nearHz, phone);
    await expectPure(farHz, browser);
    expect(breaks(phone.packets)).toEqual([]);
    expect(breaks(browser.packets)).toEqual([]);
    expect(new Set(phone.packets.map(({ ssrc }) => ssrc)).size).toBe(1);
  });

  it("hears hold music, mute and resume, all in Opus and in one stream", async () => {
    const from = phone.packets.length;
    await rooms.hold(legId, true);
    await vi.waitFor(async () => {
      const tune = await phone.listen(300);
      expect(loudness(tune)).toBeGreaterThan(100);
      expect(shareAt(nearHz, tune)).toBeLessThan(0.3);
    }, patience);
    expect((await browser.listen(300)).length).toBe(0);
    await rooms.hold(legId, false);
    await expectPure(nearHz, phone);
    await rooms.mute(legId, true);
    await vi.waitFor(async () => {
      const muted = await phone.listen(200);
      expect(muted.length).toBeGreaterThan(0);
      expect(loudness(muted)).toBeLessThan(10);
    }, patience);
    await rooms.mute(legId, false);
    await expectPure(nearHz, phone);
    await expectPure(farHz, browser);
    expect(breaks(phone.packets)).toEqual([]);
    expect(phone.packets.slice(from).every(({ payloadType }) => payloadType === ownNumbers.payloadType)).toBe(true);
  });

  it("receives each DTMF digit once, at the Opus clock rate, from our dial pad and from the browser's own events", async () => {
    const events = () => phone.packets.filter(({ payloadType }) => payloadType === ownNumbers.telephoneEventType);
    await plane.sendDigits(legId, "19");
    const last = () => events().at(-1)?.payload.readUInt8(1) ?? 0;
    await vi.waitFor(() => {
      expect(events().map(createKeyListener()).filter(Boolean)).toEqual(["1", "9"]);
      expect(last() & 0x80).toBe(0x80);
    }, patience);
    // 120 ms each.
    expect(Math.max(...events().map(({ payload }) => payload.readUInt16BE(2)))).toBe(5_760);
    browser.sendKeys("7");
    await vi.waitFor(
      () => expect(events().map(createKeyListener()).filter(Boolean)).toEqual(["1", "9", "7"]),
      patience,
    );
    await expectPure(nearHz, phone);
    expect(breaks(phone.packets)).toEqual([]);
  });

  it("continues when the far end falls back to G.711 in mid-call, and returns to Opus", async () => {
    await plane.acceptCarrierAnswer(legId, phone.offer.replace(" 98 0 99 97", " 0 97"));
    await expectPure(nearHz, phone);
    expect(phone.packets.at(-1)?.payloadType).toBe(0);
    await plane.acceptCarrierAnswer(legId, phone.offer);
    await expectPure(nearHz, phone);
    expect(phone.packets.at(-1)?.payloadType).toBe(ownNumbers.payloadType);
    expect(breaks(phone.packets)).toEqual([]);
  });

  it("is mixed with the browser and a far end on G.711, and passes digits to it", async () => {
    const other = await openRtpEndpoint({ codecs: ["PCMA"], telephoneEventType: 96 });
    const leg = await attach(other);
    other.sendTone(otherHz);
    await rooms.meet([browserLegId, legId, leg.legId]);
    const heard = async (by: Pick<RtpEndpoint, "listen">): Promise<number[]> => {
      const sound = await by.listen(300);
      return [nearHz, farHz, otherHz].filter((hz) => shareAt(hz, sound) > 0.2);
    };
    await vi.waitFor(async () => expect(await heard(phone)).toEqual([nearHz, otherHz]), patience);
    await vi.waitFor(async () => expect(await heard(other)).toEqual([nearHz, farHz]), patience);
    await vi.waitFor(async () => expect(await heard(browser)).toEqual([farHz, otherHz]), patience);
    phone.sendKeys("5");
    const keys = () => other.packets.filter(({ payloadType }) => payloadType === 96).map(createKeyListener());
    await vi.waitFor(() => expect(keys().filter(Boolean)).toEqual(["5"]), patience);
    await plane.close(leg.legId);
    await rooms.talk(browserLegId, legId);
    await expectPure(nearHz, phone);
    await expectPure(farHz, browser);
    expect(breaks(phone.packets)).toEqual([]);
  });

  it("is understood under its own payload types when it calls, hears announcements and is recorded", async () => {
    // Each of these is a payload type that we would assign to something else.
    const opus = { payloadType: 101, telephoneEventType: 111 };
    const caller = await openOpusPhone(opus);
    closing.push(caller);
    const leg = await plane.openCarrierLeg();
    const ours = readRtpDescription(leg.offer);
    if (ours) caller.acceptAnswer(writeRtpDescription({ ...ours, opus }));
    await plane.acceptCarrierAnswer(leg.legId, caller.offer);
    const recorded: number[] = [];
    plane.onTapped(({ tapId, left }) => void (tapId === leg.legId && recorded.push(...left)));
    caller.sendTone(farHz);
    const greeting = encodeSound(toneSamples(otherHz, { from: 0, length: 16_000 }), "PCMU");
    const played = new Promise<void>((resolve) => plane.onPromptEnd(({ isWhole }) => isWhole && resolve()));
    const { legId: callerLegId } = leg;
    await plane.apply({
      participants: [{ legId: callerLegId, hears: [{ play: "greeting", audio: greeting }] }],
      taps: [{ id: callerLegId, left: callerLegId, right: null }],
    });
    await expectPure(otherHz, caller);
    expect(caller.packets.at(-1)?.payloadType).toBe(opus.payloadType);
    await played;
    await vi.waitFor(() => expect(recorded.length).toBeGreaterThanOrEqual(8_000), patience);
    expect(shareAt(farHz, Int16Array.from(recorded.slice(4_000, 8_000)))).toBeGreaterThan(0.95);
    await plane.close(leg.legId);
  });
});
