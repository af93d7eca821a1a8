import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { recordingRate } from "./ears.ts";

const fileNames: Record<string, string> = { "*": "star", "#": "pound" };
const frameLength = recordingRate / 50;
/** Bands of the telephone range; speech is recognised by how their levels change. */
const bandsHz = [300, 450, 600, 800, 1_000, 1_250, 1_500, 1_800, 2_100, 2_500, 2_900];

/** ITU-T G.711, µ-law, to -1 … 1. */
function decode(byte: number): number {
  const inverted = ~byte & 0xff;
  const magnitude = (((inverted & 0x0f) << 3) + 0x84) << ((inverted & 0x70) >> 4);
  return ((inverted & 0x80 ? -1 : 1) * (magnitude - 0x84)) / 32_768;
}

function readSpeech(key: string): Float32Array {
  const path = new URL(`../../carriers/sandbox/speech/key-${fileNames[key] ?? key}.ulaw`, import.meta.url);
  return Float32Array.from(readFileSync(fileURLToPath(path)), decode);
}

/** Levels by band, one row every 20 ms, in decibels above a floor. */
function spectrogram(samples: Float32Array): number[][] {
  const rows: number[][] = [];
  for (let start = 0; start + frameLength * 2 <= samples.length; start += frameLength) {
    const frame = samples.subarray(start, start + frameLength * 2);
    rows.push(bandsHz.map((hz) => Math.max(0, 60 + 20 * Math.log10(bandLevel(frame, hz) + 1e-9))));
  }
  return rows;
}

function bandLevel(frame: Float32Array, hz: number): number {
  let [re, im] = [0, 0];
  frame.forEach((sample, i) => {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / frame.length);
    re += window * sample * Math.cos((2 * Math.PI * hz * i) / recordingRate);
    im += window * sample * Math.sin((2 * Math.PI * hz * i) / recordingRate);
  });
  return Math.hypot(re, im) / frame.length;
}

const templates = [..."0123456789*#"].map((key) => ({ key, rows: spectrogram(readSpeech(key)) }));

/**
 * The digits that the sandbox names in the recording, in order: the best match among the shipped clips wherever one
 * matches well.
 */
export function spokenKeys(recording: Float32Array): string {
  const heard = spectrogram(recording);
  const fits = templates.flatMap(({ key, rows }) => {
    const spoken = rows.flat();
    return heard.slice(rows.length - 1).map((_, start) => {
      const end = start + rows.length;
      return { key, start, end, fit: correlation(heard.slice(start, end).flat(), spoken) };
    });
  });
  const found: typeof fits = [];
  for (const best of fits.filter(({ fit }) => fit > 0.6).toSorted((a, b) => b.fit - a.fit)) {
    if (found.every(({ start, end }) => best.start >= end || best.end <= start)) found.push(best);
  }
  return found
    .toSorted((a, b) => a.start - b.start)
    .map(({ key }) => key)
    .join("");
}

function correlation(a: number[], b: number[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((value, i) => {
    const [da, db] = [value - meanA, (b[i] ?? 0) - meanB];
    ab += da * db;
    aa += da * da;
    bb += db * db;
  });
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb);
}
