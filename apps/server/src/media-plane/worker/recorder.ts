import { sampleRate } from "@leadline/adapter-kit/rtp/g711";

import type { SoundRead } from "./sound-codecs.ts";

const partSamples = sampleRate / 2;
/** A packet that comes later than this behind a newer one is left out. */
const reorderSamples = sampleRate / 5;
const windowSamples = sampleRate;
/** How far a sender's clock may run ahead of ours, and what comes at once after a stall. */
const aheadSamples = sampleRate * 2;

/**
 * Puts the sound that comes in into its order and time, by its timestamps (RFC 3550, section 5.1): a loss or a pause is silence
 * of the same length. Hands it on half a second at a time, and never more than as much time as has passed.
 */
export function createRecorder(handOn: (samples: Int16Array) => void) {
  const beganMs = performance.now();
  const window = new Int16Array(windowSamples);
  let ssrc: number | null = null;
  /** The timestamp of the window's first sample. */
  let base = 0;
  let filled = 0;
  let handedOn = 0;

  function handOnFirst(count: number): void {
    handOn(window.slice(0, count));
    window.copyWithin(0, count);
    window.fill(0, windowSamples - count);
    base = (base + count) >>> 0;
    filled = Math.max(0, filled - count);
    handedOn += count;
  }

  return {
    add({ ssrc: from, timestamp, samples }: SoundRead): void {
      const room = ((performance.now() - beganMs) * sampleRate) / 1000 + aheadSamples - handedOn;
      const offset = (timestamp - base) | 0;
      // Another stream, or a clock that was set anew, goes on where the last one stopped.
      const joins = from !== ssrc || offset < -windowSamples || offset > room;
      if (joins) base = (timestamp - filled) >>> 0;
      ssrc = from;
      let at = joins ? filled : offset;
      const { length } = samples;
      if (at < 0 || length > reorderSamples || at + length > room) return;
      for (; at + length > windowSamples; at -= partSamples) handOnFirst(partSamples);
      window.set(samples, at);
      filled = Math.max(filled, at + length);
      while (filled >= partSamples + reorderSamples) handOnFirst(partSamples);
    },
    /** Hands on what is left. */
    end(): void {
      if (filled > 0) handOnFirst(filled);
    },
  };
}
export type Recorder = ReturnType<typeof createRecorder>;
