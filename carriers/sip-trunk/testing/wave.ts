import { readFile } from "node:fs/promises";

import { toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { sampleRate } from "@leadline/adapter-kit/rtp/g711";

/** 16-bit PCM, 8 kHz, mono: what baresip's aufile takes. Null is silence. */
export function wave(hz: number | null, seconds: number, { thenSilentSeconds = 0 } = {}): Buffer {
  const samples = new Int16Array(sampleRate * (seconds + thenSilentSeconds));
  if (hz !== null) samples.set(toneSamples(hz, { from: 0, length: sampleRate * seconds }));
  const data = Buffer.from(samples.buffer);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** The samples of a recording, without its head. */
export async function soundOfWave(path: string): Promise<Int16Array> {
  const file = await readFile(path);
  const data = file.subarray(file.indexOf("data") + 8);
  return Int16Array.from({ length: Math.floor(data.length / 2) }, (_, i) => data.readInt16LE(i * 2));
}
