import { readFile } from "node:fs/promises";
import { toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { sampleRate } from "@leadline/adapter-kit/rtp/g711";
import { waveFile } from "@leadline/adapter-kit/wave-file";

/** 16-bit PCM, 8 kHz, mono: what baresip's aufile takes. Null is silence. */
export function wave(hz: number | null, seconds: number, { thenSilentSeconds = 0 } = {}): Buffer {
  const samples = new Int16Array(sampleRate * (seconds + thenSilentSeconds));
  if (hz !== null) samples.set(toneSamples(hz, { from: 0, length: sampleRate * seconds }));
  return waveFile(samples, sampleRate);
}

/** The samples of a recording, without its head. */
export async function soundOfWave(path: string): Promise<Int16Array> {
  const file = await readFile(path);
  const data = file.subarray(file.indexOf("data") + 8);
  return Int16Array.from({ length: Math.floor(data.length / 2) }, (_, i) => data.readInt16LE(i * 2));
}
