import type { Worker } from "node:worker_threads";

import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { createLog } from "../log.ts";
import { LegGone, type MediaPlane } from "./media-plane.ts";
import { spreadOverThreads } from "./spread-over-threads.ts";
import { openTestBrowser, type TestBrowser } from "../testing/media/test-browser.ts";
import { createWeriftMediaPlane, type WeriftMediaPlane } from "./werift-media-plane.ts";
import { roomsOf } from "../testing/media/rooms-of.ts";

const plainOffer = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: 101 });

describe("legs spread over threads", () => {
  const threads: WeriftMediaPlane[] = [];
  const workers: Worker[] = [];
  const note = (worker: Worker): void => void workers.push(worker);
  const closed: string[] = [];
  let plane: WeriftMediaPlane;
  const rooms = roomsOf(() => plane);
  let browser: TestBrowser;
  beforeAll(async () => {
    process.on("worker", note);
    browser = await openTestBrowser();
    plane = await spreadOverThreads({
      openThread: async () => {
        const thread = await createWeriftMediaPlane();
        threads.push(thread);
        return thread;
      },
      maxThreads: 2,
      legsBeforeNext: 2,
      log: createLog("fatal"),
    });
    plane.onBrowserLegState(({ legId, state }) => state === "closed" && closed.push(legId));
  });
  afterAll(async () => {
    process.off("worker", note);
    await browser.close();
    await plane.shutDown();
  });

  /** The index of the thread that knows this leg. */
  const threadOf = async (legId: string): Promise<number> =>
    (await Promise.all(threads.map((thread) => thread.stats(legId)))).findIndex((stats) => stats !== null);
  const openLeg = async (...given: Parameters<MediaPlane["openCarrierLeg"]>): Promise<string> =>
    (await plane.openCarrierLeg(...given)).legId;
  const near = async (options: Parameters<MediaPlane["openBrowserLeg"]>[1] = {}): Promise<string> =>
    (await plane.openBrowserLeg(browser.offer, options)).legId;
  let browserLegId: string;
  let carrierLegId: string;
  let elsewhere: string;

  it("stay on one thread until it has enough, then go where there are fewest, up to the thread limit", async () => {
    browserLegId = await near();
    await openLeg();
    expect(threads).toHaveLength(1);
    await openLeg();
    await vi.waitFor(() => expect(threads).toHaveLength(2));
    const opened = [await openLeg(), await openLeg(), await openLeg()];
    elsewhere = opened[0] ?? "";
    expect(await Promise.all(opened.map(threadOf))).toEqual([1, 1, 1]);
    const atOnce = await Promise.all([openLeg(), openLeg(), openLeg(), openLeg()]);
    expect((await Promise.all(atOnce.map(threadOf))).toSorted()).toEqual([0, 0, 1, 1]);
    expect(threads).toHaveLength(2);
  });

  it("are opened on the thread of the legs that they share a room with, or may; legs on other threads can't", async () => {
    carrierLegId = await openLeg({ browserLegId });
    const meeting = [
      carrierLegId,
      await openLeg({ browserLegId }),
      await openLeg({ colocateWith: carrierLegId }),
      await near({ carrierLegId }),
      await near({ colocateWith: browserLegId }),
      (await plane.openRelayLeg(plainOffer, { colocateWith: browserLegId })).legId,
    ];
    expect(await Promise.all(meeting.map(threadOf))).toEqual([0, 0, 0, 0, 0, 0]);
    await rooms.talk(browserLegId, carrierLegId);
    await expect(rooms.talk(browserLegId, elsewhere)).rejects.toThrow(LegGone);
    await expect(rooms.meet([browserLegId, carrierLegId, elsewhere])).rejects.toThrow(LegGone);
    const gone = await openLeg({ colocateWith: "closed" });
    expect(await threadOf(gone)).toBe(1);
  });

  it("end with their own thread only, and new ones open on its replacement", async () => {
    await workers[0]?.terminate();
    await vi.waitFor(() => expect(closed).toContain(browserLegId));
    expect(await plane.stats(elsewhere)).not.toBeNull();
    expect(await plane.stats(browserLegId)).toBeNull();
    expect(await plane.stats(carrierLegId)).toBeNull();
    const anew = await near({ colocateWith: carrierLegId });
    expect(await threadOf(anew)).toBe(0);
    await rooms.talk(anew, await openLeg({ browserLegId: anew }));
  });
});
