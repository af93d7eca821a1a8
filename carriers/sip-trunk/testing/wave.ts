import { readFile } from "node:fs/promises";
import { toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { sampleRate } from "@leadline/adapter-kit/rtp/g711";
import { waveFile } from "@leadline/adapter-kit/wave-file";

/** As long as a test may take: silence after it would look like a lost call. */
export const toneSeconds = 300;

/** 16-bit PCM, 8 kHz, mono: the format for baresip's aufile. Null is silence. */
export function wave(hz: number | null, seconds: number, { thenSilentSeconds = 0 } = {}): Buffer {
  const samples = new Int16Array(sampleRate * (seconds + thenSilentSeconds));
  if (hz !== null) samples.set(toneSamples(hz, { from: 0, length: sampleRate * seconds }));
  return waveFile(samples, sampleRate);
}

/** A recording's first channel, resampled to 8 kHz, without the header. Empty if the header isn't written yet. */
export async function soundOfWave(path: string): Promise<Int16Array> {
  const file = await readFile(path);
  const start = file.indexOf("data") + 8;
  if (file.length < start || start < 44) return new Int16Array();
  const bytesInFrame = 2 * file.readUInt16LE(22);
  const framesInSample = file.readUInt32LE(24) / sampleRate;
  const frames = Math.floor((file.length - start) / bytesInFrame);
  return Int16Array.from({ length: Math.floor(frames / framesInSample) }, (_, i) =>
    file.readInt16LE(start + Math.floor(i * framesInSample) * bytesInFrame),
  );
}
