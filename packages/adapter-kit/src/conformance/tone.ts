import { sampleRate } from "../rtp/g711.ts";

/** Samples of a sine, `from` samples into it, so that packets join without a click. */
export function toneSamples(
  hz: number,
  options: { from: number; length: number; amplitude?: number | undefined; rate?: number },
): Int16Array {
  const { rate = sampleRate } = options;
  const amplitude = options.amplitude ?? 8_000;
  return Int16Array.from({ length: options.length }, (_, i) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hz * (options.from + i)) / rate)),
  );
}

/** Root mean square, full scale being 32,767. */
export function loudness(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}

/** Goertzel: which share of the sound's energy lies at this frequency, 0 to 1. A lone sine gives nearly 1. */
export function shareAt(hz: number, samples: Int16Array, rate = sampleRate): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / rate);
  let last = 0;
  let beforeLast = 0;
  let energy = 0;
  for (const sample of samples) {
    const next = sample + coefficient * last - beforeLast;
    beforeLast = last;
    last = next;
    energy += sample * sample;
  }
  if (energy === 0) return 0;
  const power = last * last + beforeLast * beforeLast - coefficient * last * beforeLast;
  return (2 * power) / (samples.length * energy);
}

/** Of a recording's quarters of a second, the share in the one that has most: a packet that came late has cost one of them its purity. */
export function purestShareAt(hz: number, samples: Int16Array): number {
  const part = sampleRate / 4;
  const starts = Array.from({ length: Math.floor(samples.length / part) }, (_, i) => i * part);
  return Math.max(0, ...starts.map((start) => shareAt(hz, samples.subarray(start, start + part))));
}
