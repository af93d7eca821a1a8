import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeSound, encodeSound, sampleRate, silence } from "@leadline/adapter-kit/rtp/g711";
import { waveFile } from "@leadline/adapter-kit/wave-file";
import type { FileStore } from "../../files/file-store.ts";
import { readWave } from "./read-wave.ts";

/** Raw µ-law, as make-greeting.ts made it. */
const defaultGreeting = readFileSync(join(import.meta.dirname, "default.ulaw"));
export const defaultGreetingMs = Math.round((defaultGreeting.length * 1000) / sampleRate);
export const defaultGreetingAsWave: Buffer = waveFile(decodeSound(defaultGreeting, "PCMU"), sampleRate);

const beepHz = 1_000;
const beep = encodeSound(
  Array.from({ length: sampleRate / 2 }, (_, i) => 8_000 * Math.sin((2 * Math.PI * beepHz * i) / sampleRate)),
  "PCMU",
);
/** 300 ms: the first words must not be lost while the way opens, nor the beep run into the last. */
const pause = Buffer.concat(Array.from({ length: 15 }, () => silence.PCMU));

/** What a caller hears until the recording begins, as µ-law. Without a name, the default greeting; rejects where one cannot be read. */
export async function soundBeforeRecording(store: FileStore, storedName: string | null): Promise<Buffer> {
  const greeting = storedName === null ? defaultGreeting : await readOwn(store, storedName);
  return Buffer.concat([pause, greeting, pause, beep]);
}

async function readOwn(store: FileStore, storedName: string): Promise<Buffer> {
  const { samples } = readWave(await store.read(storedName), { longestMs: Infinity });
  return encodeSound(samples, "PCMU");
}
