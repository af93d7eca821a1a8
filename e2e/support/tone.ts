import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const sampleRate = 48_000;
const burstLength = sampleRate / 2;

/**
 * A WAV file for Chromium's fake microphone, which plays it round and round. The tone comes in bursts, like speech:
 * the browser's noise suppression takes a steady one for a fan.
 */
export function writeTone(options: { hz: number; seconds?: number }): string {
  const { hz, seconds = 2 } = options;
  const samples = new Int16Array(sampleRate * seconds);
  for (let i = 0; i < samples.length; i += 1) {
    const on = i % burstLength < burstLength * 0.6;
    if (on) samples[i] = 16_000 * Math.sin((2 * Math.PI * hz * i) / sampleRate);
  }
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + samples.byteLength, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples.byteLength, 40);
  const path = join(mkdtempSync(join(tmpdir(), "leadline-tone-")), `${hz}-hz.wav`);
  writeFileSync(path, Buffer.concat([header, Buffer.from(samples.buffer)]));
  return path;
}
