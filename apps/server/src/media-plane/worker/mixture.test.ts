import { describe, expect, it } from "vitest";

import { createMixture, type Voice } from "./mixture.ts";
import { createPlayout } from "./playout.ts";

const level = (value: number): Int16Array => new Int16Array(160).fill(value);

/** Says the same all the time and keeps what it hears last. */
function talker(value: number | null, more: Partial<Voice> = {}) {
  let heard: number | null = null;
  const voice: Voice = {
    speak: () => (value === null ? null : level(value)),
    isBrowser: false,
    hears: () => true,
    listen: (samples) => void (heard = new Set(samples).size === 1 ? (samples[0] ?? null) : null),
    takeKey: () => {},
    ...more,
  };
  return { voice, heard: () => heard };
}

function mixOf(...talkers: ReturnType<typeof talker>[]) {
  const mixture = createMixture();
  for (const { voice } of talkers) mixture.voices.add(voice);
  mixture.tick();
  return talkers.map(({ heard }) => heard());
}

describe("a mixture", () => {
  it("gives each the sum of the others", () => {
    expect(mixOf(talker(100), talker(20), talker(3))).toEqual([23, 103, 120]);
  });

  it("is silence for one whom nobody talks to", () => {
    expect(mixOf(talker(100), talker(null))).toEqual([0, 100]);
    expect(mixOf(talker(100))).toEqual([0]);
  });

  it("stops at what 16 bits can say, loud and low", () => {
    expect(mixOf(talker(null), talker(30_000), talker(30_000))[0]).toBe(32_767);
    expect(mixOf(talker(null), talker(-30_000), talker(-30_000))[0]).toBe(-32_768);
  });

  it("leaves out whom one may not hear", () => {
    const deaf = talker(1, { hears: (other) => !other.isBrowser });
    expect(mixOf(deaf, talker(20, { isBrowser: true }), talker(300))).toEqual([300, 301, 21]);
  });
});

describe("what is played of a stream", () => {
  const packet = (n: number, ssrc = 1) => ({ ssrc, timestamp: (0xffff_ff00 + n * 160) >>> 0 });
  const next = (playout: ReturnType<typeof createPlayout>, times: number) =>
    Array.from({ length: times }, () => playout.next()?.[0] ?? null);

  it("begins 60 ms late, and is in order and time though packets come out of order, twice or never", () => {
    const playout = createPlayout();
    for (const n of [1, 3, 2, 2, 5]) playout.add(packet(n), level(n));
    expect(next(playout, 8)).toEqual([0, 0, 0, 1, 2, 3, 0, 5]);
  });

  it("leaves out what comes too late, and begins anew where all does", () => {
    const playout = createPlayout();
    playout.add(packet(1), level(1));
    expect(next(playout, 5)).toEqual([0, 0, 0, 1, 0]);
    playout.add(packet(1), level(1));
    playout.add(packet(2), level(2));
    expect(next(playout, 1)).toEqual([0]);
    playout.add(packet(3), level(3));
    expect(next(playout, 4)).toEqual([0, 0, 0, 3]);
  });

  it("follows a sender to another stream, and one whose clock has leapt", () => {
    const playout = createPlayout();
    for (const n of [1, 2]) playout.add(packet(n), level(n));
    playout.add(packet(9, 2), level(9));
    // Nothing of the former stream is left behind it.
    expect(next(playout, 5)).toEqual([0, 0, 0, 9, 0]);
    playout.add(packet(5_000, 2), level(7));
    expect(next(playout, 4)).toEqual([0, 0, 0, 7]);
  });

  it("is nothing before the first packet, and once none has come for a while", () => {
    const playout = createPlayout();
    expect(playout.next()).toBeNull();
    playout.add(packet(1), level(1));
    expect(next(playout, 16).at(-1)).toBeNull();
    playout.add(packet(40), level(4));
    expect(next(playout, 4)).toEqual([0, 0, 0, 4]);
  });
});
