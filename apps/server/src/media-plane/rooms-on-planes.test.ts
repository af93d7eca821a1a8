import { openRtpEndpoint, type RtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { loudness, shareAt } from "@leadline/adapter-kit/conformance/tone";
import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { flagsOff } from "@leadline/contract/call-flags";
import { array, assert, asyncProperty, constantFrom } from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";

import { type CallAudio, roomOf } from "../features/calls/in-call/room-of.ts";
import { createLog } from "../log.ts";
import { adaHz, bobHz, heardBy, repHz } from "../testing/media/heard-by.ts";
import { planes } from "../testing/media/start-trunk-call.ts";
import { openTestBrowser, type TestBrowser } from "../testing/media/test-browser.ts";
import type { MediaPlane } from "./media-plane.ts";
import { openMediaPlane } from "./open-media-plane.ts";
import { holdMusic, type Room } from "./room.ts";

const operations = [
  "hold or resume the first",
  "hold or resume the second",
  "mute or unmute",
  "silence or let speak the first",
  "call a second",
  "join or part the two",
  "leave the two to each other",
  "hang up the second",
  "open another page",
  "restart the server",
] as const;

let stage: Stage;
let port: number;
const opened: { close(): unknown }[] = [];
beforeAll(async () => {
  stage = await openStage();
  ({ port } = await stage.keep(startRtpengine(stage.peers, { folder: stage.folder })));
});
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});
afterAll(() => stage.close());

describe.each(planes)("%s", (where) => {
  const open = (): Promise<MediaPlane> => {
    const rtpengines = where === "in process" ? [] : [{ host: "127.0.0.1", port }];
    return openMediaPlane({ rtpengines, mediaAddress: null }, createLog("fatal"));
  };

  /** A rep and the two people they can call, as their room says. */
  async function openOffice() {
    let plane = await open();
    opened.push({ close: () => plane.shutDown() });
    const ears = new Map<string, TestBrowser | RtpEndpoint>();
    const toneOf = new Map<string, number>();
    let browserLegId = "";
    let hasLeft = false;
    let calls: CallAudio[] = [];

    async function attach(carrierLegId?: string): Promise<void> {
      const browser = await openTestBrowser();
      opened.push(browser);
      const { legId, answer } = await plane.openBrowserLeg(
        browser.offer,
        carrierLegId === undefined ? {} : { carrierLegId },
      );
      await browser.acceptAnswer(answer);
      browser.sendTone(repHz);
      browserLegId = legId;
      ears.set(legId, browser);
      toneOf.set(legId, repHz);
    }

    async function call(hz: number): Promise<void> {
      const farEnd = await openRtpEndpoint();
      opened.push(farEnd);
      const { legId, offer } = await plane.openCarrierLeg({ browserLegId });
      farEnd.acceptAnswer(offer);
      await plane.acceptCarrierAnswer(legId, farEnd.offer);
      farEnd.sendTone(hz);
      ears.set(legId, farEnd);
      toneOf.set(legId, hz);
      calls.push({ ...flagsOff, legId, onHold: false, joinedWith: null });
    }

    /** Restarts, and restores what the snapshots hold. */
    async function restart(): Promise<void> {
      const snapshots: unknown[] = JSON.parse(JSON.stringify(calls.map(({ legId }) => plane.snapshot(legId))));
      if (snapshots.some((snapshot) => snapshot === null)) return;
      await plane.shutDown();
      plane = await open();
      const restored = await plane.restore(snapshots);
      for (const [i, leg] of restored.entries()) {
        const [former, farEnd] = [calls[i], ears.get(calls[i]?.legId ?? "")];
        if (!leg || !former || !farEnd) throw new Error("A call with a snapshot was not restored.");
        const { carrierLegId, offer } = leg;
        ears.set(carrierLegId, farEnd);
        toneOf.set(carrierLegId, toneOf.get(former.legId) ?? 0);
        for (const each of calls) if (each.joinedWith === former.legId) each.joinedWith = carrierLegId;
        former.legId = carrierLegId;
        if (offer === null || !("acceptAnswer" in farEnd) || !("port" in farEnd)) continue;
        farEnd.acceptAnswer(offer);
        await plane.acceptCarrierAnswer(carrierLegId, farEnd.offer);
      }
    }

    async function operate(operation: (typeof operations)[number]): Promise<void> {
      const [first, second] = calls;
      if (!first || hasLeft) return;
      const areJoined = second !== undefined && second.joinedWith === first.legId;
      const hold = (one: CallAudio, other: CallAudio | undefined): void => {
        one.onHold = !one.onHold;
        if (other && !areJoined && !one.onHold) other.onHold = true;
      };
      if (operation === "hold or resume the first") hold(first, second);
      else if (operation === "hold or resume the second" && second) hold(second, first);
      else if (operation === "mute or unmute") for (const each of calls) each.muted = !each.muted;
      else if (operation === "silence or let speak the first" && areJoined) first.silenced = !first.silenced;
      else if (operation === "call a second" && !second) {
        first.onHold = true;
        await call(bobHz);
        for (const each of calls) each.muted = first.muted;
      } else if (operation === "join or part the two" && second) {
        first.joinedWith = areJoined ? null : second.legId;
        second.joinedWith = areJoined ? null : first.legId;
        Object.assign(first, { onHold: areJoined, silenced: false });
        second.onHold = false;
      } else if (operation === "leave the two to each other" && areJoined) hasLeft = true;
      else if (operation === "hang up the second" && second) {
        calls = [first];
        Object.assign(first, { joinedWith: null, silenced: false });
        await plane.close(second.legId);
      } else if (operation === "open another page") await attach(first.legId);
      else if (operation === "restart the server") await restart();
    }

    await attach();
    await call(adaHz);
    return {
      operate,
      /** Applies the room and checks that everyone hears exactly what it says. */
      async judge(operation: string): Promise<void> {
        const room = roomOf(calls, hasLeft ? null : browserLegId);
        await plane.apply(room);
        await plane.apply(room);
        for (const { legId, hears } of room.participants) {
          const ear = ears.get(legId);
          if (!ear) throw new Error("Nobody is there.");
          const tones = hears.flatMap((source) => (typeof source === "string" ? (toneOf.get(source) ?? []) : []));
          const sorted = tones.toSorted((one, other) => one - other);
          expect([operation, toneOf.get(legId), await heardBy(ear, ...sorted)]).toEqual([
            operation,
            toneOf.get(legId),
            sorted,
          ]);
          if (hears.includes(holdMusic))
            await vi.waitFor(async () => expect(loudness(await ear.listen(500))).toBeGreaterThan(50));
        }
      },
    };
  }

  test("after any sequence of operations on a rep's calls, everyone hears exactly what the room says", async () => {
    const sequences = array(constantFrom(...operations), { minLength: 6, maxLength: 8 });
    await assert(
      asyncProperty(sequences, async (sequence) => {
        const { operate, judge } = await openOffice();
        await judge("the first is called");
        for (const operation of sequence) {
          await operate(operation);
          await judge(operation);
        }
      }),
      {
        // The given example, then a random one.
        numRuns: 2,
        seed: 16,
        endOnFailure: true,
        examples: [
          [
            [
              "call a second",
              "hold or resume the first",
              "join or part the two",
              "restart the server",
              "mute or unmute",
            ],
          ],
        ],
      },
    );
  });

  test("a tap has the rep on its left and the callee on its right", async () => {
    const plane = await open();
    opened.push({ close: () => plane.shutDown() });
    const [browser, farEnd] = [await openTestBrowser(), await openRtpEndpoint()];
    opened.push(browser, farEnd);
    const { legId: rep, answer } = await plane.openBrowserLeg(browser.offer);
    await browser.acceptAnswer(answer);
    const { legId: callee, offer } = await plane.openCarrierLeg({ browserLegId: rep });
    farEnd.acceptAnswer(offer);
    await plane.acceptCarrierAnswer(callee, farEnd.offer);
    browser.sendTone(repHz);
    farEnd.sendTone(adaHz);
    const talking = [
      { legId: rep, hears: [callee] },
      { legId: callee, hears: [rep] },
    ];
    await plane.apply({ participants: talking });
    expect(await heardBy(browser, adaHz)).toEqual([adaHz]);

    const sides = { left: [] as number[], right: [] as number[] };
    plane.onTapped(({ left, right }) => {
      sides.left.push(...left);
      sides.right.push(...right);
      expect(left.length).toBe(right.length);
    });
    const last = (which: keyof typeof sides) => Int16Array.from(sides[which].slice(-4_000));
    const recording: Room = { participants: talking, taps: [{ id: "recording", left: rep, right: callee }] };
    await plane.apply(recording);
    await vi.waitFor(() => {
      expect(shareAt(repHz, last("left"))).toBeGreaterThan(0.9);
      expect(shareAt(adaHz, last("right"))).toBeGreaterThan(0.9);
    }, 30_000);
    // The two still hear each other.
    expect(await heardBy(browser, adaHz)).toEqual([adaHz]);
    expect(await heardBy(farEnd, repHz)).toEqual([repHz]);

    await plane.apply({ ...recording, taps: [{ id: "recording", left: null, right: callee }] });
    await vi.waitFor(() => {
      expect(loudness(last("left"))).toBe(0);
      expect(shareAt(adaHz, last("right"))).toBeGreaterThan(0.9);
    }, 30_000);
    await plane.apply({ participants: talking });
    const { length } = sides.left;
    expect(await heardBy(farEnd, repHz)).toEqual([repHz]);
    expect(sides.left.length).toBe(length);
  });
});
