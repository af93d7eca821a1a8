import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { Carrier } from "@leadline/adapter-kit/carrier";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { loudness, shareAt } from "@leadline/adapter-kit/conformance/tone";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { callees } from "./callees.ts";
import { carrier as sandbox } from "./server.ts";
import { loadSpeech } from "./speech.ts";

const speech = loadSpeech();

/** How often the whole clip occurs in this audio. */
function timesHeard(name: "5" | "#" | "*" | "0", sound: Buffer): number {
  const clip = speech.key(name);
  if (!clip) throw new Error("no such key");
  const said = Buffer.concat(clip.PCMU);
  let times = 0;
  for (let at = sound.indexOf(said); at >= 0; at = sound.indexOf(said, at + said.length)) times++;
  return times;
}

describe.concurrent("a sandbox callee", () => {
  let carrier: Carrier;
  beforeAll(async () => {
    carrier = await sandbox.open({});
  });
  afterAll(() => carrier.close());

  it("with a menu names each digit it received exactly once, in order, although packets are repeated", async () => {
    const call = await placeCall(carrier, "+12025550108");
    await call.answered();
    await sleep(300);
    call.endpoint.sendKeys("50#5");
    await sleep(5_000);
    const sound = Buffer.concat(call.endpoint.packets.map(({ payload }) => payload));
    await call.hangUp();
    expect(timesHeard("5", sound)).toBe(2);
    expect(timesHeard("0", sound)).toBe(1);
    expect(timesHeard("#", sound)).toBe(1);
    expect(timesHeard("*", sound)).toBe(0);
  });

  it("that speaks is never silent for two seconds", () => {
    const longest = speech.conversation.PCMU.reduce(
      ({ run, most }, payload) => {
        const quiet = payload.every((code) => (~code & 0x7f) < 0x30);
        return { run: quiet ? run + 20 : 0, most: Math.max(most, quiet ? run + 20 : 0) };
      },
      { run: 0, most: 0 },
    ).most;
    expect(speech.conversation.PCMU.length * 20).toBeGreaterThan(20_000);
    expect(longest).toBeLessThan(2_000);
  });

  it("with voicemail beeps at 1 kHz after its greeting and then listens", async () => {
    const call = await placeCall(carrier, "+12025550107");
    await call.answered();
    await sleep(speech.voicemail.PCMU.length * 20 + 100);
    const beep = await call.endpoint.listen(300);
    await sleep(500);
    const quiet = await call.endpoint.listen(500);
    await call.hangUp();
    expect(shareAt(1_000, beep)).toBeGreaterThan(0.9);
    expect(loudness(quiet)).toBeLessThan(10);
    expect(quiet.length).toBeGreaterThan(3_000);
  });

  it("that answers after 8 s rings until then, and any other number after 3 s", async () => {
    const startMs = performance.now();
    const [slow, other] = await Promise.all([placeCall(carrier, "+12025550102"), placeCall(carrier, "+442079460000")]);
    await other.answered(7_500);
    expect(performance.now() - startMs).toBeGreaterThan(2_900);
    expect(slow.kinds()).toBe("ringing");
    await slow.answered(15_000);
    expect(performance.now() - startMs).toBeGreaterThan(7_900);
    await Promise.all([slow.hangUp(), other.hangUp()]);
  });

  it("is listed in the README with its behaviour", () => {
    const readme = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
    for (const [number, { does }] of Object.entries(callees)) {
      const row = readme.split("\n").find((line) => line.includes(number));
      expect(row).toContain(does);
    }
  });
});
