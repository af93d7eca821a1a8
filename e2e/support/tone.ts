import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waveFile } from "@leadline/adapter-kit/wave-file";
import { inject } from "vitest";

const sampleRate = 48_000;
const burstLength = sampleRate / 2;

/**
 * A WAV file for Chromium's fake microphone, which loops it. The tone comes in bursts, like speech: the browser's noise
 * suppression treats a steady one as noise.
 */
export function writeTone(options: { hz: number; seconds?: number }): string {
  const { hz, seconds = 2 } = options;
  const samples = new Int16Array(sampleRate * seconds);
  for (let i = 0; i < samples.length; i += 1) {
    const on = i % burstLength < burstLength * 0.6;
    if (on) samples[i] = 16_000 * Math.sin((2 * Math.PI * hz * i) / sampleRate);
  }
  const path = join(mkdtempSync(join(inject("runFolder"), "tone-")), `${hz}-hz.wav`);
  writeFileSync(path, waveFile(samples, sampleRate));
  return path;
}
