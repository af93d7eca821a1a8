import { readFile } from "node:fs/promises";
import type { Baresip } from "@leadline/carrier-sip-trunk/testing/start-baresip";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { untilAnswered } from "../../testing/dial.ts";
import { record, strengthAt } from "./ears.ts";
import { calleeHz, callerHz, expectCallee } from "./trunk-call.ts";

export const colleagueHz = 1_300;
const waveHeadBytes = 44;

/** Which of the three speakers are heard in each half-second. */
function speakersIn(sound: Float32Array): string[] {
  const halves = Array.from({ length: Math.floor(sound.length / 4_000) }, (_, i) =>
    sound.subarray(i * 4_000, (i + 1) * 4_000),
  );
  return halves.map((half) => [callerHz, calleeHz, colleagueHz].filter((hz) => strengthAt(half, hz) > 0.01).join("+"));
}

export async function waitUntilHeard(page: Page, ...tones: number[]): Promise<void> {
  await expect.poll(async () => speakersIn(await record(page, 500)).join()).toBe(tones.join("+"));
}

/** Waits until the growing recording of its call ends with exactly these speakers. */
export async function waitUntilHeardThere(by: Baresip, ...tones: number[]): Promise<void> {
  const firstSizes = new Map<string, number>();
  const heard = async (): Promise<string> => {
    const latest = (await by.recordings()).at(-1) ?? "";
    const bytes = await readFile(latest).catch(() => Buffer.alloc(0));
    const firstSize = firstSizes.get(latest) ?? bytes.length;
    firstSizes.set(latest, firstSize);
    if (bytes.length === firstSize) return "nothing new";
    const samples = Math.max(0, Math.floor((bytes.length - waveHeadBytes) / 2));
    const last = Array.from({ length: Math.min(samples, 4_000) }, (_, i) =>
      bytes.readInt16LE(waveHeadBytes + (samples - 1 - i) * 2),
    );
    return speakersIn(Float32Array.from(last, (sample) => sample / 32_768)).join();
  };
  await expect.poll(heard).toBe(tones.join("+"));
}

/** After the answer, the callee is heard here and the caller there. */
export async function expectHeardByBoth(page: Page, callee: Baresip): Promise<void> {
  await untilAnswered(page);
  await expectCallee(page);
  await waitUntilHeardThere(callee, callerHz);
}
