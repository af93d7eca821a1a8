import { expect, it } from "vitest";

import type { CarrierUnderTest } from "../carrier-conformance.ts";
import { hear } from "./hear.ts";
import { placeCall } from "./place-call.ts";
import { loudness, shareAt } from "./tone.ts";

/** What both sides of a call hear, with hold, DTMF and transfer. */
export function testCallAudio({ carrier, capabilities, numbers }: CarrierUnderTest): void {
  it.concurrent("the callee's audio arrives in a steady stream", async () => {
    const call = await placeCall(carrier(), numbers.answers);
    await call.answered();
    const sound = await call.endpoint.listen(1_500);
    await call.hangUp();
    expect(loudness(sound)).toBeGreaterThan(300);
    // Half of what was sent in that time: a busy machine's delays say nothing about the carrier.
    expect(sound.length).toBeGreaterThan(8_000 * 0.75);
    const order = call.endpoint.packets.map(({ sequenceNumber }) => sequenceNumber);
    expect(order.every((number, i) => i === 0 || number === ((order[i - 1] ?? 0) + 1) % 65_536)).toBe(true);
  });

  it.concurrent.each([440, 1_250])("the caller's audio reaches the callee: %i Hz is echoed", async (hz) => {
    const call = await placeCall(carrier(), numbers.echoes);
    await call.answered();
    call.endpoint.sendTone(hz);
    expect(await hear(call.endpoint, hz)).toBeGreaterThan(0.8);
    const sound = await call.endpoint.listen(400);
    await call.hangUp();
    expect(shareAt(hz + 300, sound)).toBeLessThan(0.05);
  });

  it.runIf(capabilities.digits !== null).concurrent("DTMF digits reach the callee", async () => {
    const call = await placeCall(carrier(), numbers.menu);
    await call.answered();
    while (loudness(await call.endpoint.listen(600)) > 50);
    call.endpoint.sendKeys("5");
    // On a busy machine the menu takes a while to respond.
    let said = 0;
    for (let tries = 0; tries < 20 && said <= 300; tries++) said = loudness(await call.endpoint.listen(500));
    await call.hangUp();
    expect(said).toBeGreaterThan(300);
  });

  it.concurrent("declares hold, transfer and DTMF only if it supports them", async () => {
    const call = await placeCall(carrier(), numbers.answers);
    await call.answered();
    expect(call.leg.setHold !== undefined).toBe(capabilities.hold);
    expect(call.leg.transfer !== undefined).toBe(capabilities.transfer);
    expect(call.leg.sendDigits).toBeUndefined();
    await call.leg.setHold?.(true);
    await call.leg.setHold?.(false);
    expect(loudness(await call.endpoint.listen(1_000))).toBeGreaterThan(300);
    await call.hangUp();
  });

  it.concurrent("twenty simultaneous calls each have their own audio", async () => {
    const calls = await Promise.all(Array.from({ length: 20 }, () => placeCall(carrier(), numbers.echoes)));
    await Promise.all(calls.map((call) => call.answered(20_000)));
    const hzOf = (i: number): number => 400 + 100 * i;
    calls.forEach((call, i) => call.endpoint.sendTone(hzOf(i)));
    const shares = await Promise.all(calls.map((call, i) => hear(call.endpoint, hzOf(i))));
    await Promise.all(calls.map((call) => call.hangUp()));
    for (const share of shares) expect(share).toBeGreaterThan(0.8);
  });
}
