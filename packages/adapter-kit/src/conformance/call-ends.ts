import { setTimeout as sleep } from "node:timers/promises";

import { expect, it } from "vitest";

import type { CarrierHangUpCause } from "../carrier.ts";
import type { CarrierUnderTest } from "../carrier-conformance.ts";
import { placeCall } from "./place-call.ts";

/** `ringing` and `early-media` any number of times, at most one `answered`, exactly one `ended`, then nothing. */
const wholeCall = /^((ringing|early-media) )*(answered ((redescribed|held|resumed) )*)?ended$/;

/** How calls end, from either side, and the events for it. */
export function testCallEnds({ carrier, open, numbers }: CarrierUnderTest): void {
  const refusals: [string, string, CarrierHangUpCause["reason"], CarrierHangUpCause][] = [
    ["is busy", numbers.busy, "busy", { reason: "busy", sip: 486, q850: 17 }],
    ["does not answer", numbers.noAnswer, "no-answer", { reason: "no-answer", sip: 480, q850: 19 }],
    ["rejects the call", numbers.rejects, "rejected", { reason: "rejected", sip: 603, q850: 21 }],
    ["cannot be reached", numbers.networkFailure, "network-failure", { reason: "network-failure", sip: 503, q850: 38 }],
  ];
  it.concurrent.each(refusals)("a callee that %s ends the call with that cause", async (_, number, reason, cause) => {
    const call = await placeCall(carrier(), number);
    const told = await call.ended(25_000);
    call.endpoint.close();
    expect(told.reason).toBe(reason);
    expect(told).toEqual(cause);
    expect(call.kinds()).toMatch(wholeCall);
    expect(call.kinds()).not.toContain("answered");
  });

  it.concurrent("an answered call that ends there reports its events in order, then nothing", async () => {
    const call = await placeCall(carrier(), numbers.hangsUp);
    const cause = await call.ended(20_000);
    await sleep(300);
    call.endpoint.close();
    expect(cause).toEqual({ reason: "hung-up-there", sip: 200, q850: 16 });
    expect(call.kinds()).toMatch(wholeCall);
    expect(call.kinds()).toContain("answered");
  });

  it.concurrent("a callee that holds and resumes reports both", async () => {
    const call = await placeCall(carrier(), numbers.holds);
    await call.told("resumed", 20_000);
    await call.hangUp();
    expect(call.kinds()).toMatch(/\banswered (redescribed )*held (redescribed )*resumed$/);
  });

  it.concurrent("hanging up before the answer cancels, and no event follows", async () => {
    const call = await placeCall(carrier(), numbers.noAnswer);
    await sleep(200);
    await call.hangUp();
    const before = call.kinds();
    await sleep(500);
    expect(call.kinds()).toBe(before);
    expect(before).not.toContain("ended");
  });

  it.concurrent("hanging up after the answer stops the audio, is idempotent, and no event follows", async () => {
    const call = await placeCall(carrier(), numbers.answers);
    await call.answered();
    await call.endpoint.listen(200);
    await Promise.all([call.leg.hangUp(), call.leg.hangUp()]);
    await call.leg.hangUp();
    await sleep(200);
    const after = await call.endpoint.listen(500);
    call.endpoint.close();
    expect(after.length).toBe(0);
    expect(call.kinds()).not.toContain("ended");
  });

  it.concurrent("closing the carrier ends every call, once", async () => {
    const closing = await open();
    const [talking, ringing] = await Promise.all([
      placeCall(closing, numbers.answers),
      placeCall(closing, numbers.noAnswer),
    ]);
    await talking.answered();
    await closing.close();
    await Promise.all([talking.ended(), ringing.ended()]);
    await sleep(100);
    const after = await talking.endpoint.listen(300);
    for (const call of [talking, ringing]) {
      call.endpoint.close();
      expect(call.kinds()).toMatch(wholeCall);
    }
    expect(after.length).toBe(0);
  });
}
