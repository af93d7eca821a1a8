import { describe, expect, it } from "vitest";

import { createMixer, mix } from "./mixer.ts";
import { createPlayout } from "./playout.ts";

const level = (value: number): Int16Array => new Int16Array(160).fill(value);
const levelOf = (samples: Int16Array): number | null => (new Set(samples).size === 1 ? (samples[0] ?? null) : null);

describe("a mix", () => {
  it("is the sum of those who speak, and silence if no one does", () => {
    expect(levelOf(mix([level(100), null, level(20)]))).toBe(120);
    expect(levelOf(mix([null]))).toBe(0);
    expect(levelOf(mix([]))).toBe(0);
  });

  it("saturates at the limits of 16 bits, positive and negative", () => {
    expect(mix([level(30_000), level(30_000)])[0]).toBe(32_767);
    expect(mix([level(-30_000), level(-30_000)])[0]).toBe(-32_768);
  });

  it("reads each speaker once per tick for all its listeners, and releases it with the last of them", () => {
    let [asked, closed] = [0, 0];
    const mixer = createMixer((value: number) => ({
      voice: { next: () => level(value + asked++) },
      close: () => void closed++,
    }));
    const [one, other] = [mixer.listen([10]), mixer.listen([10], [{ next: () => level(1_000) }])];
    mixer.tick();
    expect([levelOf(one.next()), levelOf(other.next()), asked]).toEqual([10, 1_010, 1]);
    one.close();
    expect(closed).toBe(0);
    other.close();
    expect(closed).toBe(1);
  });
});

describe("playout of a stream", () => {
  const packet = (n: number, ssrc = 1) => ({ ssrc, timestamp: (0xffff_ff00 + n * 160) >>> 0 });
  const next = (playout: ReturnType<typeof createPlayout>, times: number) =>
    Array.from({ length: times }, () => playout.next()?.[0] ?? null);

  it("starts 60 ms late, and is ordered and timed although packets arrive out of order, twice or never", () => {
    const playout = createPlayout();
    for (const n of [1, 3, 2, 2, 5]) playout.add(packet(n), level(n));
    expect(next(playout, 8)).toEqual([0, 0, 0, 1, 2, 3, 0, 5]);
  });

  it("drops packets that are too late, and restarts if all are", () => {
    const playout = createPlayout();
    playout.add(packet(1), level(1));
    expect(next(playout, 5)).toEqual([0, 0, 0, 1, 0]);
    playout.add(packet(1), level(1));
    playout.add(packet(2), level(2));
    expect(next(playout, 1)).toEqual([0]);
    playout.add(packet(3), level(3));
    expect(next(playout, 4)).toEqual([0, 0, 0, 3]);
  });

  it("follows a sender to another stream, and one whose clock has jumped", () => {
    const playout = createPlayout();
    for (const n of [1, 2]) playout.add(packet(n), level(n));
    playout.add(packet(9, 2), level(9));
    // Nothing of the former stream is left over.
    expect(next(playout, 5)).toEqual([0, 0, 0, 9, 0]);
    playout.add(packet(5_000, 2), level(7));
    expect(next(playout, 4)).toEqual([0, 0, 0, 7]);
  });

  it("is null before the first packet, and when none has arrived for a while", () => {
    const playout = createPlayout();
    expect(playout.next()).toBeNull();
    playout.add(packet(1), level(1));
    expect(next(playout, 16).at(-1)).toBeNull();
    playout.add(packet(40), level(4));
    expect(next(playout, 4)).toEqual([0, 0, 0, 4]);
  });
});
