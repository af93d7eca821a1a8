import { sampleRate } from "../rtp/g711.ts";

/** Samples of a sine, starting `from` samples into it, so that packets join without a click. */
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

/** Root mean square, with full scale at 32,767. */
export function loudness(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}

/** Goertzel: the share of the audio's energy at this frequency, 0 to 1. A pure sine gives nearly 1. */
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

/** The highest share in any quarter-second of a recording: a late packet makes one of them impure. */
export function purestShareAt(hz: number, samples: Int16Array): number {
  const part = sampleRate / 4;
  const starts = Array.from({ length: Math.floor(samples.length / part) }, (_, i) => i * part);
  return Math.max(0, ...starts.map((start) => shareAt(hz, samples.subarray(start, start + part))));
}
