import { sampleRate as telephoneRate } from "@leadline/adapter-kit/rtp/g711";
import type { WaveSound } from "./read-wave.ts";

const zeroCrossings = 12;
const stepsACrossing = 128;
/** Of half the telephony sample rate. The rest is for the filter's roll-off. */
const passed = 0.92;

/** A sinc under a Hann window, from its centre: a low-pass filter for the telephony sample rate. */
const kernel = Float64Array.from({ length: zeroCrossings * stepsACrossing + 1 }, (_, step) => {
  const x = step / stepsACrossing;
  const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / zeroCrossings);
  return x === 0 ? 1 : (window * Math.sin(Math.PI * x)) / (Math.PI * x);
});

/** As a caller will hear it: 8,000 samples a second, 16 bits, mono. */
export function toTelephoneSound({ sampleRate, samples }: WaveSound): Int16Array {
  const ratio = sampleRate / telephoneRate;
  const length = Math.floor(samples.length / ratio);
  if (ratio === 1) return Int16Array.from(samples, clipped);
  const density = passed / ratio;
  const reach = Math.floor(zeroCrossings / density);
  return Int16Array.from({ length }, (_, at) => {
    const middle = at * ratio;
    const first = Math.max(0, Math.ceil(middle - reach));
    const last = Math.min(samples.length - 1, Math.floor(middle + reach));
    let sum = 0;
    for (let i = first; i <= last; i++)
      sum += (samples[i] ?? 0) * (kernel[Math.round(Math.abs(i - middle) * density * stepsACrossing)] ?? 0);
    return clipped(sum * density);
  });
}

const clipped = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample)));
