import { describe, expect, it } from "vitest";

import { createFarEndLatch } from "./far-end-latch.ts";

const signalled = { host: "203.0.113.7", port: 4_000 };
const moved = { ...signalled, port: 4_100 };
const elsewhere = { host: "203.0.113.8", port: 4_000 };

/** A call whose far end sends from the address it described, every 20 ms until then. */
function openCall(untilMs = 1_000) {
  const latch = createFarEndLatch();
  latch.signal(signalled, 0);
  for (let ms = 0; ms < untilMs; ms += 20) expect(latch.takes(signalled, ms)).toBe(true);
  return latch;
}
const speak = (latch: ReturnType<typeof createFarEndLatch>, from: typeof signalled, fromMs: number, toMs: number) => {
  const taken: number[] = [];
  for (let ms = fromMs; ms < toMs; ms += 20) if (latch.takes(from, ms)) taken.push(ms);
  return taken;
};

describe("the address that a far end is heard from", () => {
  it("a stray packet from another port changes nothing, not even after silence", () => {
    const latch = openCall();
    expect(latch.takes(moved, 1_010)).toBe(false);
    expect(latch.takes(moved, 1_900)).toBe(false);
    expect(latch.address()).toMatchObject(signalled);
    expect(latch.takes(signalled, 1_910)).toBe(true);
  });

  it("follows a far end that moves to another port of its host, within a quarter of a second", () => {
    const latch = openCall();
    const [first = Infinity, ...others] = speak(latch, moved, 1_000, 2_000);
    expect(first).toBeLessThanOrEqual(1_250);
    expect(others).toHaveLength((2_000 - first) / 20 - 1);
    expect(latch.address()).toMatchObject(moved);
  });

  it("stays with a far end that sends, whatever else on its host sends too", () => {
    const latch = openCall();
    for (let ms = 1_000; ms < 5_000; ms += 20) {
      expect(latch.takes(moved, ms)).toBe(false);
      expect(latch.takes(signalled, ms + 10)).toBe(true);
    }
  });

  it("never follows to another host, however long the far end is silent", () => {
    const latch = openCall();
    expect(speak(latch, elsewhere, 1_000, 20_000)).toEqual([]);
    expect(latch.takes(signalled, 20_000)).toBe(true);
  });

  it("switches to the signalled address if another port was first", () => {
    const latch = createFarEndLatch();
    latch.signal(signalled, 0);
    expect(speak(latch, moved, 0, 1_000).length).toBeGreaterThan(30);
    const taken: number[] = [];
    for (let ms = 1_000; ms < 1_200; ms += 20) {
      if (latch.takes(signalled, ms)) taken.push(ms);
      latch.takes(moved, ms + 10);
    }
    expect(taken).toEqual([1_040, 1_060, 1_080, 1_100, 1_120, 1_140, 1_160, 1_180]);
    expect(latch.takes(moved, 1_210)).toBe(false);
  });

  it("stays with a port that was first if only stray packets come from the signalled address", () => {
    const latch = createFarEndLatch();
    latch.signal(signalled, 0);
    expect(speak(latch, moved, 0, 1_000).length).toBeGreaterThan(30);
    // Keep-alives, once two at a time.
    const strays = [5_005, 10_005, 10_007, 15_005];
    for (const [i, ms] of strays.entries()) {
      const fromMs = strays[i - 1] ?? 1_000;
      speak(latch, moved, fromMs + 10, ms);
      expect(latch.takes(signalled, ms)).toBe(false);
      expect(latch.takes(moved, ms + 1)).toBe(true);
    }
  });

  it("switches to the signalled address immediately if the port that was first is silent", () => {
    const latch = createFarEndLatch();
    latch.signal(signalled, 0);
    expect(speak(latch, moved, 0, 1_000).length).toBeGreaterThan(30);
    expect(latch.takes(signalled, 1_600)).toBe(true);
  });

  it("moves to a newly signalled address immediately, and stays if the same one is signalled again", () => {
    const latch = openCall();
    latch.signal(signalled, 1_000);
    expect(latch.takes(moved, 1_010)).toBe(false);
    latch.signal(elsewhere, 1_020);
    expect(latch.address()).toMatchObject(elsewhere);
    expect(latch.takes(elsewhere, 1_030)).toBe(true);
    expect(latch.takes(signalled, 1_040)).toBe(false);
  });

  it("learns the NAT address of a far end that signalled a private address, once", () => {
    const latch = createFarEndLatch();
    latch.signal({ host: "192.168.1.20", port: 4_000 }, 0);
    const [first = Infinity] = speak(latch, elsewhere, 0, 1_000);
    expect(first).toBeLessThanOrEqual(250);
    expect(speak(latch, signalled, 2_000, 10_000)).toEqual([]);
  });
});
