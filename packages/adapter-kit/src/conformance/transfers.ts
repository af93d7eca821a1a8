import { setTimeout as sleep } from "node:timers/promises";

import { expect, it } from "vitest";

import type { CarrierTransferRefusal } from "../carrier.ts";
import type { CarrierUnderTest, ConformanceNumbers } from "../carrier-conformance.ts";
import { askToTransfer } from "./ask-to-transfer.ts";
import { hear } from "./hear.ts";
import { placeCall } from "./place-call.ts";

/** Transfers of the far end. */
export function testTransfers({ carrier, open, capabilities, numbers }: CarrierUnderTest): void {
  const untransferred: [string, CarrierTransferRefusal, keyof ConformanceNumbers][] = [
    ["is busy", { reason: "busy", sip: 486 }, "busy"],
    ["rejects the call", { reason: "rejected", sip: 603 }, "rejects"],
  ];
  it.runIf(capabilities.transfer).concurrent.each(untransferred)(
    "a call whose far end is transferred to one who %s continues as before",
    async (_, why, to) => {
      const call = await placeCall(carrier(), numbers.echoes);
      await call.answered();
      const transfer = askToTransfer(call.leg, numbers[to]);
      expect(await transfer.settled()).toMatchObject({ type: "refused", why });
      expect(transfer.kinds()).toMatch(/^(ringing )*refused$/);
      call.endpoint.sendTone(900);
      expect(await hear(call.endpoint, 900)).toBeGreaterThan(0.8);
      await call.hangUp();
      expect(call.kinds()).not.toContain("ended");
    },
  );

  it.runIf(capabilities.transfer).concurrent(
    "a far end that is transferred to one who answers is reported as taken, once",
    async () => {
      const call = await placeCall(carrier(), numbers.echoes);
      await call.answered();
      const transfer = askToTransfer(call.leg, numbers.answers);
      await transfer.settled();
      await call.hangUp();
      await sleep(300);
      expect(transfer.kinds()).toMatch(/^(ringing )*taken$/);
      expect(call.kinds()).not.toContain("ended");
    },
  );

  it.runIf(capabilities.transfer).concurrent(
    "a far end that supports it replaces us in a call with the other one, who ends our call",
    async () => {
      const place = () => placeCall(carrier(), numbers.takesOurPlace);
      const [first, second] = await Promise.all([place(), place()]);
      await Promise.all([first.answered(), second.answered()]);
      const transfer = askToTransfer(first.leg, second.leg);
      expect(await transfer.settled()).toEqual({ type: "taken" });
      expect(await second.ended(10_000)).toMatchObject({ reason: "hung-up-there" });
      await first.hangUp();
      second.endpoint.close();
      expect(transfer.kinds()).toMatch(/^(ringing )*taken$/);
      expect(first.kinds()).not.toContain("ended");
    },
  );

  it.runIf(capabilities.transfer).concurrent("a far end can't be transferred into another carrier's call", async () => {
    const other = await open();
    const [first, second] = await Promise.all([
      placeCall(carrier(), numbers.takesOurPlace),
      placeCall(other, numbers.takesOurPlace),
    ]);
    await Promise.all([first.answered(), second.answered()]);
    const why = { reason: "not-supported", sip: null };
    expect(await askToTransfer(first.leg, second.leg).settled()).toEqual({ type: "refused", why });
    expect([first.kinds(), second.kinds()].join(" ")).not.toContain("ended");
    await Promise.all([first.hangUp(), second.hangUp()]);
    await other.close();
  });
}
