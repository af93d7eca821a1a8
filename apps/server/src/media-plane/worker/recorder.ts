import { sampleRate } from "@leadline/adapter-kit/rtp/g711";

import type { DecodedSound } from "./audio-codecs.ts";

const partSamples = sampleRate / 2;
/** Packets that arrive later than this after a newer one of the same side are dropped. */
const reorderSamples = sampleRate / 5;
const windowSamples = sampleRate * 2;
/** How far a sender's clock may run ahead of ours, and how much may arrive at once after a stall. */
const aheadSamples = sampleRate * 2;
/** After this many late packets in a row, the sender's clock has stood still: it restarts now. */
const maxLatePackets = 10;

export type Side = "left" | "right";

function createSide() {
  return {
    window: new Int16Array(windowSamples),
    ssrc: null as number | null,
    /** The timestamp of the window's first sample. */
    base: 0,
    filled: 0,
    latePackets: 0,
    /** Whether this side has a participant: if so, the other side waits for its packets. */
    expected: false,
  };
}

/**
 * Orders and aligns the audio of two sides by RTP timestamps (RFC 3550, section 5.1). Lost or missing packets become
 * silence of the same length, and a new stream starts at its time of arrival. Delivers half a second of both sides at a
 * time, and never more than the time that has passed.
 */
export function createRecorder(handOn: (sides: Record<Side, Int16Array>) => void) {
  const sides = { left: createSide(), right: createSide() };
  const both = [sides.left, sides.right];
  let beganMs = performance.now();
  let hasBegun = false;
  let handedOn = 0;

  function handOnFirst(count: number): void {
    handOn({ left: sides.left.window.slice(0, count), right: sides.right.window.slice(0, count) });
    for (const side of both) {
      side.window.copyWithin(0, count);
      side.window.fill(0, windowSamples - count);
      side.base = (side.base + count) >>> 0;
      side.filled = Math.max(0, side.filled - count);
    }
    handedOn += count;
  }

  function handOnWhole(): void {
    for (;;) {
      const whole = both.filter(({ expected, filled }) => expected || filled > 0).map(({ filled }) => filled);
      const isDue = whole.length > 0 && Math.min(...whole) >= partSamples + reorderSamples;
      // A silent side delays the other only for so long.
      if (!isDue && Math.max(0, ...whole) < windowSamples - partSamples) return;
      handOnFirst(partSamples);
    }
  }

  return {
    expect: (which: Side, expected: boolean): void => void (sides[which].expected = expected),
    add(which: Side, { ssrc: from, timestamp, samples }: DecodedSound): void {
      const side = sides[which];
      if (!hasBegun) beganMs = performance.now();
      hasBegun = true;
      const passed = ((performance.now() - beganMs) * sampleRate) / 1000 - handedOn;
      const room = passed + aheadSamples;
      const offset = (timestamp - side.base) | 0;
      // A new stream, or a clock that was reset, continues where the last one stopped, or now.
      const isLate = from === side.ssrc && offset < 0;
      side.latePackets = isLate ? side.latePackets + 1 : 0;
      const joins = from !== side.ssrc || offset > room || offset < -sampleRate || side.latePackets > maxLatePackets;
      const { length } = samples;
      if (length > reorderSamples) return;
      let at = joins ? Math.max(side.filled, Math.trunc(Math.min(passed, windowSamples - partSamples))) : offset;
      if (joins) side.base = (timestamp - at) >>> 0;
      side.ssrc = from;
      if (at < 0 || at + length > room) return;
      for (; at + length > windowSamples; at -= partSamples) handOnFirst(partSamples);
      side.window.set(samples, at);
      side.filled = Math.max(side.filled, at + length);
      handOnWhole();
    },
    /** Delivers what is left. */
    end(): void {
      const left = Math.max(...both.map(({ filled }) => filled));
      if (left > 0) handOnFirst(left);
    },
  };
}
