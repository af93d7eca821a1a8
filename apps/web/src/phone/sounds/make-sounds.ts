/// <reference types="node" />
/**
 * Generates the phone's sounds: `node apps/web/src/phone/sounds/make-sounds.ts`. Deterministic, so the bytes are the
 * same each time. WAV, 16 kHz, mono, 16 bit: every browser plays it, even Chromium's open-source builds.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { waveFile } from "@leadline/adapter-kit/wave-file";

const sampleRate = 16_000;

interface Strike {
  hz: number;
  atMs: number;
  /** Time in which the tone falls to 37 %. */
  decayMs: number;
  gain: number;
  /** The pitch at the end of the sound, if it glides. */
  toHz?: number;
}

/** A soft mallet: a rounded attack, with the octave above decaying faster than the tone itself. */
function play(strikes: Strike[], options: { lengthMs: number; attackMs: number }): Float64Array {
  const samples = new Float64Array((options.lengthMs * sampleRate) / 1000);
  for (const { hz, toHz = hz, atMs, decayMs, gain } of strikes) {
    const start = Math.round((atMs * sampleRate) / 1000);
    let phase = 0;
    for (let i = start; i < samples.length; i++) {
      const ms = ((i - start) * 1000) / sampleRate;
      const glide = ms / (options.lengthMs - atMs);
      phase += (2 * Math.PI * (hz + (toHz - hz) * glide)) / sampleRate;
      const attack = ms < options.attackMs ? Math.sin((Math.PI * ms) / (2 * options.attackMs)) ** 2 : 1;
      const body = Math.sin(phase) * Math.exp(-ms / decayMs);
      const overtone = 0.28 * Math.sin(2 * phase) * Math.exp((-2.6 * ms) / decayMs);
      samples[i] = (samples[i] ?? 0) + gain * attack * (body + overtone);
    }
  }
  return fadeOut(samples, 12);
}

function fadeOut(samples: Float64Array, overMs: number): Float64Array {
  const length = (overMs * sampleRate) / 1000;
  for (let i = 0; i < length; i++) {
    const at = samples.length - 1 - i;
    samples[at] = ((samples[at] ?? 0) * i) / length;
  }
  return samples;
}

function write(name: string, samples: Float64Array): void {
  const clipped = Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767));
  writeFileSync(join(import.meta.dirname, `${name}.wav`), waveFile(clipped, sampleRate));
}

/** A pentatonic run over two octaves: any key after any other sounds right. */
const keyNotesHz = [523.25, 587.33, 659.26, 783.99, 880, 1046.5, 1174.66, 1318.51, 1567.98, 1760];

keyNotesHz.forEach((hz, key) => {
  // The ear perceives higher notes as louder.
  const gain = 0.34 * Math.sqrt(523.25 / hz);
  write(`key-${key}`, play([{ hz, atMs: 0, decayMs: 38, gain }], { lengthMs: 120, attackMs: 4 }));
});

// Two warm pulses and a rest; silent at both ends, so it loops without a click.
write(
  "dialing",
  play(
    [
      { hz: 392, atMs: 0, decayMs: 320, gain: 0.16 },
      { hz: 493.88, atMs: 0, decayMs: 300, gain: 0.12 },
      { hz: 392, atMs: 460, decayMs: 420, gain: 0.15 },
      { hz: 587.33, atMs: 460, decayMs: 400, gain: 0.11 },
    ],
    { lengthMs: 3000, attackMs: 30 },
  ),
);
// Brighter than the dialing sound, and three steps higher, so that it is obvious who is calling whom.
write(
  "incoming",
  play(
    [
      { hz: 659.26, atMs: 0, decayMs: 220, gain: 0.24 },
      { hz: 783.99, atMs: 180, decayMs: 220, gain: 0.24 },
      { hz: 1046.5, atMs: 360, decayMs: 420, gain: 0.26 },
      { hz: 783.99, atMs: 760, decayMs: 220, gain: 0.2 },
      { hz: 1046.5, atMs: 940, decayMs: 420, gain: 0.24 },
    ],
    { lengthMs: 2800, attackMs: 12 },
  ),
);
write(
  "mute-on",
  play(
    [
      { hz: 659.26, atMs: 0, decayMs: 50, gain: 0.26 },
      { hz: 440, atMs: 70, decayMs: 60, gain: 0.26 },
    ],
    { lengthMs: 240, attackMs: 6 },
  ),
);
write(
  "mute-off",
  play(
    [
      { hz: 440, atMs: 0, decayMs: 50, gain: 0.26 },
      { hz: 659.26, atMs: 70, decayMs: 60, gain: 0.26 },
    ],
    { lengthMs: 240, attackMs: 6 },
  ),
);
// Three falling knocks, twice: audible over a voice, and unlike any other sound of the phone.
write(
  "warning",
  play(
    [0, 700].flatMap((atMs) => [
      { hz: 880, atMs, decayMs: 70, gain: 0.3 },
      { hz: 739.99, atMs: atMs + 130, decayMs: 70, gain: 0.3 },
      { hz: 587.33, atMs: atMs + 260, decayMs: 140, gain: 0.3 },
    ]),
    { lengthMs: 1300, attackMs: 5 },
  ),
);
write(
  "hang-up",
  play(
    [
      { hz: 392, toHz: 370, atMs: 0, decayMs: 90, gain: 0.26 },
      { hz: 261.63, toHz: 246.94, atMs: 120, decayMs: 130, gain: 0.3 },
    ],
    { lengthMs: 480, attackMs: 8 },
  ),
);
