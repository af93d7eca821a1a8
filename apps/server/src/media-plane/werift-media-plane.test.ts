import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { openRtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { loudness, shareAt } from "@leadline/adapter-kit/conformance/tone";
import type { SoundCodec } from "@leadline/adapter-kit/rtp/g711";
import { createKeyListener } from "@leadline/adapter-kit/rtp/telephone-event";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type BrowserLegState, type MediaPlane, UnusableOffer } from "./media-plane.ts";
import { expectPure } from "../testing/media/expect-pure.ts";
import { openTestBrowser, type TestBrowser } from "../testing/media/test-browser.ts";
import { createWeriftMediaPlane } from "./werift-media-plane.ts";
import { roomsOf } from "../testing/media/rooms-of.ts";

let plane: MediaPlane;
const rooms = roomsOf(() => plane);
const states: { legId: string; state: BrowserLegState }[] = [];
const opened: { close(): unknown }[] = [];

beforeAll(async () => {
  plane = await createWeriftMediaPlane();
  plane.onBrowserLegState((change) => states.push(change));
});
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));
afterAll(() => plane.shutDown());

async function until(isSo: () => boolean, withinMs = 30_000): Promise<void> {
  const lastMs = performance.now() + withinMs;
  while (!isSo()) {
    if (performance.now() > lastMs) throw new Error(`not so within ${withinMs} ms`);
    await sleep(10);
  }
}

const stateOf = (legId: string): BrowserLegState | undefined => states.findLast((each) => each.legId === legId)?.state;

async function attachBrowser(): Promise<{ browser: TestBrowser; browserLegId: string }> {
  const browser = await openTestBrowser();
  opened.push(browser);
  const { legId, answer } = await plane.openBrowserLeg(browser.offer);
  await browser.acceptAnswer(answer);
  await until(() => stateOf(legId) === "connected");
  return { browser, browserLegId: legId };
}

/** A far end that has answered our offer, as a carrier's would. */
async function attachFarEnd(codecs: SoundCodec[] = ["PCMU"]) {
  const farEnd = await openRtpEndpoint({ codecs, telephoneEventType: 97 });
  opened.push(farEnd);
  const { legId, offer } = await plane.openCarrierLeg();
  farEnd.acceptAnswer(offer);
  await plane.acceptCarrierAnswer(legId, farEnd.offer);
  return { farEnd, carrierLegId: legId, carrierOffer: offer };
}

async function startCall(codecs?: SoundCodec[]) {
  const [near, far] = await Promise.all([attachBrowser(), attachFarEnd(codecs)]);
  await rooms.talk(near.browserLegId, far.carrierLegId);
  return { ...near, ...far };
}

function gaps(packets: { sequenceNumber: number }[]): number {
  return packets.filter(
    ({ sequenceNumber }, i) => i > 0 && sequenceNumber !== (((packets[i - 1]?.sequenceNumber ?? 0) + 1) & 0xffff),
  ).length;
}

describe("audio", () => {
  it.each([["PCMU"], ["PCMA"]] as const)("flows both ways with a %s far end", async (codec) => {
    const { browser, farEnd } = await startCall([codec]);
    browser.sendTone(440);
    farEnd.sendTone(1_000);
    await vi.waitFor(async () => {
      const [there, here] = await Promise.all([farEnd.listen(1_000), browser.listen(1_000)]);
      expect(there.length).toBeGreaterThan(7_000);
      expect(here.length).toBeGreaterThan(7_000);
    });
    await expectPure(440, farEnd);
    await expectPure(1_000, browser);
    expect(farEnd.packets.at(-1)?.payloadType).toBe(codec === "PCMU" ? 0 : 8);
    expect(new Set(farEnd.packets.map(({ ssrc }) => ssrc)).size).toBe(1);
  });

  it("is silence for the far end on mute, in an unbroken stream", async () => {
    const { browser, farEnd, carrierLegId } = await startCall();
    browser.sendTone(440);
    await rooms.mute(carrierLegId, true);
    await sleep(200);
    await vi.waitFor(async () => {
      const muted = await farEnd.listen(500);
      expect(muted.length).toBeGreaterThan(3_000);
      expect(loudness(muted)).toBeLessThan(10);
    });
    await rooms.mute(carrierLegId, false);
    await expectPure(440, farEnd);
    expect(gaps(farEnd.packets)).toBe(0);
  });

  it("is quiet music for the far end and nothing for the browser on hold", async () => {
    const { browser, farEnd, carrierLegId } = await startCall();
    browser.sendTone(1_300);
    farEnd.sendTone(1_000);
    await expectPure(1_000, browser);
    await rooms.hold(carrierLegId, true);
    await sleep(300);
    const [there, here] = await Promise.all([farEnd.listen(1_500), browser.listen(1_500)]);
    expect(loudness(there)).toBeGreaterThan(100);
    expect(loudness(there)).toBeLessThan(4_000);
    expect(shareAt(1_300, there)).toBeLessThan(0.05);
    expect(here.length).toBe(0);
    await rooms.hold(carrierLegId, false);
    await Promise.all([expectPure(1_300, farEnd), expectPure(1_000, browser)]);
    expect([gaps(farEnd.packets), gaps(browser.packets)]).toEqual([0, 0]);
  });

  it("is only accepted from the host and port that the far end sends from", async () => {
    const { browser, farEnd, carrierOffer } = await startCall();
    farEnd.sendTone(1_000);
    const stranger = await openRtpEndpoint();
    opened.push(stranger);
    await sleep(200);
    stranger.sendTone(2_000);
    stranger.acceptAnswer(carrierOffer);
    await sleep(200);
    expect(shareAt(2_000, await browser.listen(500))).toBeLessThan(0.05);
  });
});

describe("a browser that reconnects", () => {
  it("takes over the audio without a gap, and the former one hears nothing", async () => {
    const { browser: former, farEnd, carrierLegId } = await startCall();
    former.sendTone(440);
    farEnd.sendTone(1_000);
    await sleep(300);
    const { browser: next, browserLegId } = await attachBrowser();
    next.sendTone(700);
    await rooms.talk(browserLegId, carrierLegId);
    await vi.waitFor(async () => {
      const [there, here, before] = await Promise.all([farEnd.listen(500), next.listen(500), former.listen(500)]);
      expect(shareAt(700, there)).toBeGreaterThan(0.95);
      expect(shareAt(1_000, here)).toBeGreaterThan(0.95);
      expect(before.length).toBe(0);
    });
    expect(gaps(farEnd.packets)).toBe(0);
    expect(new Set(farEnd.packets.map(({ ssrc }) => ssrc)).size).toBe(1);
  });

  it("leaves the far end with silence, not a dead line, while it is away", async () => {
    const { browserLegId, browser, farEnd } = await startCall();
    browser.sendTone(440);
    await sleep(300);
    await plane.close(browserLegId);
    expect(stateOf(browserLegId)).toBe("closed");
    await sleep(200);
    const away = await farEnd.listen(500);
    expect(away.length).toBeGreaterThan(3_000);
    expect(loudness(away)).toBeLessThan(10);
    expect(gaps(farEnd.packets)).toBe(0);
  });

  it("recovers its leg by an ICE restart with new credentials", async () => {
    const { browser, browserLegId, farEnd } = await startCall();
    browser.sendTone(440);
    farEnd.sendTone(1_000);
    await sleep(200);
    const { answer } = await plane.restartBrowserLeg(browserLegId, await browser.restartOffer());
    await browser.acceptAnswer(answer);
    void browser.connection.iceTransports[0]?.start();
    await sleep(1_000);
    await Promise.all([expectPure(440, farEnd), expectPure(1_000, browser)]);
    expect(stateOf(browserLegId)).toBe("connected");
    // Only our stream: the test's browser stops sending while it looks for a new path.
    expect(gaps(browser.packets)).toBe(0);
  });

  it("is reported disconnected, not closed, after a network cut", async () => {
    const { browser, browserLegId } = await startCall();
    browser.setSending(false);
    for (const transport of browser.connection.iceTransports) await transport.connection.close();
    await until(() => stateOf(browserLegId) === "disconnected");
    expect(await plane.stats(browserLegId)).not.toBeNull();
  });
});

describe("DTMF digits", () => {
  it("are sent as RFC 4733 events in place of the audio, each exactly once", async () => {
    const { browser, farEnd, carrierLegId } = await startCall();
    browser.sendTone(440);
    await sleep(200);
    await plane.sendDigits(carrierLegId, "19#");
    await sleep(900);
    const listener = createKeyListener();
    const events = farEnd.packets.filter(({ payloadType }) => payloadType === 97);
    expect(events.map(listener).filter((key) => key !== null)).toEqual(["1", "9", "#"]);
    for (const timestamp of new Set(events.map((event) => event.timestamp))) {
      const ofKey = events.filter((event) => event.timestamp === timestamp);
      const durations = ofKey.map(({ payload }) => payload.readUInt16BE(2));
      const ends = ofKey.filter(({ payload }) => payload.readUInt8(1) & 0x80);
      expect(ofKey.map(({ marker }) => marker)).toEqual(ofKey.map((_, i) => i === 0));
      expect(durations).toEqual(durations.toSorted((a, b) => a - b));
      expect(durations.at(-1)).toBeGreaterThanOrEqual(800);
      expect(ends.length).toBe(3);
      expect(ofKey.slice(-3)).toEqual(ends);
    }
    expect(gaps(farEnd.packets)).toBe(0);
    await expectPure(440, farEnd);
  });

  it("from the browser's own telephone events are passed on under the far end's payload type", async () => {
    const { browser, farEnd } = await startCall();
    await sleep(200);
    browser.sendKeys("7");
    const events = () => farEnd.packets.filter(({ payloadType }) => payloadType === 97);
    await until(() => events().length > 0).then(() => sleep(500));
    expect(events().map(createKeyListener()).filter(Boolean)).toEqual(["7"]);
    expect(gaps(farEnd.packets)).toBe(0);
  });

  it("that don't exist on a phone are refused", async () => {
    const { carrierLegId } = await attachFarEnd();
    await expect(plane.sendDigits(carrierLegId, "1x")).rejects.toThrow("not a telephone key");
  });
});

describe("the media plane", () => {
  it("refuses an offer without audio that it can serve", async () => {
    const browser = await openTestBrowser();
    opened.push(browser);
    const opusOnly = browser.offer.replace(/m=audio (\d+) (\S+) .*/, "m=audio $1 $2 111");
    for (const bad of ["v=0\r\n", opusOnly, browser.offer.replaceAll(/\b126\b/g, "99999999")])
      await expect(plane.openBrowserLeg(bad)).rejects.toThrow(UnusableOffer);
  });

  it("counts packets received, sent and lost", async () => {
    const { browserLegId, carrierLegId } = await startCall();
    for (const legId of [browserLegId, carrierLegId])
      await vi.waitFor(async () => {
        const stats = await plane.stats(legId);
        expect(stats?.packetsReceived).toBeGreaterThan(15);
        expect(stats?.packetsSent).toBeGreaterThan(15);
        expect(stats?.packetsLost).toBe(0);
        expect(stats?.jitterMs).toBeLessThan(20);
        expect(stats?.sinceLastPacketMs).toBeLessThan(200);
      });
    expect(await plane.stats("no such leg")).toBeNull();
  });

  it("reports a browser's DTLS close as closed", async () => {
    const { browser, browserLegId } = await startCall();
    await browser.sayGoodbye();
    await until(() => stateOf(browserLegId) === "closed");
    expect(await plane.stats(browserLegId)).toBeNull();
  });

  it("ignores an unauthenticated DTLS close", async () => {
    const { browser, browserLegId } = await startCall();
    await browser.sendRaw(Buffer.from("15fefd000000000000006300020100", "hex"));
    await sleep(300);
    expect(stateOf(browserLegId)).toBe("connected");
  });

  it("carries twenty simultaneous calls, each with its own audio", async () => {
    const calls = await Promise.all(Array.from({ length: 20 }, () => startCall()));
    calls.forEach(({ browser, farEnd }, i) => {
      browser.sendTone(400 + 100 * i);
      farEnd.sendTone(450 + 100 * i);
    });
    const ends = calls.flatMap(({ browser, farEnd }, i) => [
      { end: farEnd, tone: 400 + 100 * i },
      { end: browser, tone: 450 + 100 * i },
    ]);
    // Each for itself: on a slow machine, hardly any second is whole at all forty. One look at each: this thread speaks too.
    await Promise.all(
      ends.map(({ end, tone }) =>
        vi.waitFor(async () => expect(shareAt(tone, await end.listen(1_000))).toBeGreaterThan(0.5)),
      ),
    );
  });

  it("survives a crash of its thread: legs are reported closed, pending work is rejected, new calls work", async () => {
    const workers: Worker[] = [];
    const note = (worker: Worker): void => void workers.push(worker);
    process.on("worker", note);
    const fragile = await createWeriftMediaPlane();
    const told: BrowserLegState[] = [];
    fragile.onBrowserLegState(({ state }) => told.push(state));
    const browser = await openTestBrowser();
    opened.push(browser, { close: () => fragile.shutDown() });
    await fragile.openBrowserLeg(browser.offer);

    const waiting = fragile.openCarrierLeg().then(
      () => "answered",
      () => "rejected",
    );
    await workers[0]?.terminate();
    expect(["answered", "rejected"]).toContain(await waiting);
    await until(() => told.at(-1) === "closed");
    expect((await fragile.openCarrierLeg()).offer).toContain("m=audio");
    process.off("worker", note);
  });
});
