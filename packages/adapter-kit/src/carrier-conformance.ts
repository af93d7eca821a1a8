import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Carrier, CarrierCapabilities, CarrierHangUpCause, CarrierTransferRefusal } from "./carrier.ts";
import { hear } from "./conformance/hear.ts";
import { describeNumbersConformance, type NumbersConformance } from "./conformance/numbers.ts";
import { placeCall } from "./conformance/place-call.ts";
import { askToTransfer } from "./conformance/ask-to-transfer.ts";
import { loudness, shareAt } from "./conformance/tone.ts";

/** E.164 numbers behind which the carrier's test peers do as the name says. */
export interface ConformanceNumbers {
  answers: string;
  echoes: string;
  busy: string;
  noAnswer: string;
  rejects: string;
  networkFailure: string;
  /** Answers, then ends the call itself within 15 s. */
  hangsUp: string;
  /** Answers, and within 15 s puts us on hold and takes us off it again. */
  holds: string;
  /** Says something after each key, and falls silent in between. */
  menu: string;
  /** Takes our place in another call to it, where the carrier can have it do so. */
  takesOurPlace: string;
}

export interface ConformanceOptions {
  name: string;
  capabilities: CarrierCapabilities;
  open: () => Promise<Carrier>;
  numbers: ConformanceNumbers;
  /** Where capabilities.numbers. */
  selling?: NumbersConformance;
}

/** `ringing` and `early-media` any number of times, at most one `answered`, exactly one `ended`, then nothing. */
const wholeCall = /^((ringing|early-media) )*(answered ((redescribed|held|resumed) )*)?ended$/;

/** What every carrier must do before it may be listed in the server's adapters. */
export function describeCarrierConformance({ name, capabilities, open, numbers, selling }: ConformanceOptions): void {
  describe(`${name} keeps a carrier's promises`, { timeout: 40_000 }, () => {
    let carrier: Carrier;
    beforeAll(async () => {
      carrier = await open();
    });
    afterAll(() => carrier.close());

    it("declares numbers exactly where it sells them", () => {
      expect(carrier.numbers !== undefined).toBe(capabilities.numbers);
      expect(selling !== undefined).toBe(capabilities.numbers);
    });
    if (selling) describeNumbersConformance(() => carrier.numbers, selling);

    const refusals: [string, string, CarrierHangUpCause["reason"], CarrierHangUpCause][] = [
      ["is busy", numbers.busy, "busy", { reason: "busy", sip: 486, q850: 17 }],
      ["does not answer", numbers.noAnswer, "no-answer", { reason: "no-answer", sip: 480, q850: 19 }],
      ["rejects the call", numbers.rejects, "rejected", { reason: "rejected", sip: 603, q850: 21 }],
      [
        "cannot be reached",
        numbers.networkFailure,
        "network-failure",
        { reason: "network-failure", sip: 503, q850: 38 },
      ],
    ];
    it.concurrent.each(refusals)("a callee that %s ends the call with that cause", async (_, number, reason, cause) => {
      const call = await placeCall(carrier, number);
      const told = await call.ended(25_000);
      call.endpoint.close();
      expect(told.reason).toBe(reason);
      expect(told).toEqual(cause);
      expect(call.kinds()).toMatch(wholeCall);
      expect(call.kinds()).not.toContain("answered");
    });

    it.concurrent("an answered call that ends there tells its events in order, then nothing", async () => {
      const call = await placeCall(carrier, numbers.hangsUp);
      const cause = await call.ended(20_000);
      await sleep(300);
      call.endpoint.close();
      expect(cause).toEqual({ reason: "hung-up-there", sip: 200, q850: 16 });
      expect(call.kinds()).toMatch(wholeCall);
      expect(call.kinds()).toContain("answered");
    });

    it.concurrent("a callee that puts us on hold and takes us off it again tells of both", async () => {
      const call = await placeCall(carrier, numbers.holds);
      await call.told("resumed", 20_000);
      await call.hangUp();
      expect(call.kinds()).toMatch(/\banswered (redescribed )*held (redescribed )*resumed$/);
    });

    it.concurrent("the callee's sound arrives in a steady stream", async () => {
      const call = await placeCall(carrier, numbers.answers);
      await call.answered();
      const sound = await call.endpoint.listen(1_500);
      await call.hangUp();
      expect(loudness(sound)).toBeGreaterThan(300);
      // Half of what was said in that time: how late a busy machine is says nothing of the carrier.
      expect(sound.length).toBeGreaterThan(8_000 * 0.75);
      const order = call.endpoint.packets.map(({ sequenceNumber }) => sequenceNumber);
      expect(order.every((number, i) => i === 0 || number === ((order[i - 1] ?? 0) + 1) % 65_536)).toBe(true);
    });

    it.concurrent.each([440, 1_250])(
      "what the caller says reaches the callee: %i Hz comes back from an echo",
      async (hz) => {
        const call = await placeCall(carrier, numbers.echoes);
        await call.answered();
        call.endpoint.sendTone(hz);
        expect(await hear(call.endpoint, hz)).toBeGreaterThan(0.8);
        const sound = await call.endpoint.listen(400);
        await call.hangUp();
        expect(shareAt(hz + 300, sound)).toBeLessThan(0.05);
      },
    );

    it.concurrent("hanging up before the answer cancels, and no event follows", async () => {
      const call = await placeCall(carrier, numbers.noAnswer);
      await sleep(200);
      await call.hangUp();
      const before = call.kinds();
      await sleep(500);
      expect(call.kinds()).toBe(before);
      expect(before).not.toContain("ended");
    });

    it.concurrent("hanging up after the answer stops the sound, twice is once, and no event follows", async () => {
      const call = await placeCall(carrier, numbers.answers);
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

    it.runIf(capabilities.digits !== null).concurrent("keys reach the callee", async () => {
      const call = await placeCall(carrier, numbers.menu);
      await call.answered();
      while (loudness(await call.endpoint.listen(600)) > 50);
      if (capabilities.digits === "media") call.endpoint.sendKeys("5");
      else await call.leg.sendDigits?.("5");
      const said = await call.endpoint.listen(1_500);
      await call.hangUp();
      expect(loudness(said)).toBeGreaterThan(300);
    });

    const untransferred: [string, CarrierTransferRefusal, keyof ConformanceNumbers][] = [
      ["is busy", { reason: "busy", sip: 486 }, "busy"],
      ["rejects the call", { reason: "rejected", sip: 603 }, "rejects"],
    ];
    it.runIf(capabilities.transfer).concurrent.each(untransferred)(
      "a call whose far end is sent to one who %s goes on as it was",
      async (_, why, to) => {
        const call = await placeCall(carrier, numbers.echoes);
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
      "a far end that is sent to one who answers is told to be taken, once",
      async () => {
        const call = await placeCall(carrier, numbers.echoes);
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
      "a far end that is asked to takes our place with the other, who ends that call",
      async () => {
        const place = () => placeCall(carrier, numbers.takesOurPlace);
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

    it.runIf(capabilities.transfer).concurrent("a far end is not sent into a call of another carrier's", async () => {
      const other = await open();
      const [first, second] = await Promise.all([
        placeCall(carrier, numbers.takesOurPlace),
        placeCall(other, numbers.takesOurPlace),
      ]);
      await Promise.all([first.answered(), second.answered()]);
      const why = { reason: "not-supported", sip: null };
      expect(await askToTransfer(first.leg, second.leg).settled()).toEqual({ type: "refused", why });
      expect([first.kinds(), second.kinds()].join(" ")).not.toContain("ended");
      await Promise.all([first.hangUp(), second.hangUp()]);
      await other.close();
    });

    it.concurrent("declares hold, transfer and keys only where it can do them", async () => {
      const call = await placeCall(carrier, numbers.answers);
      await call.answered();
      expect(call.leg.setHold !== undefined).toBe(capabilities.hold);
      expect(call.leg.transfer !== undefined).toBe(capabilities.transfer);
      expect(call.leg.sendDigits !== undefined).toBe(capabilities.digits === "signalling");
      await call.leg.setHold?.(true);
      await call.leg.setHold?.(false);
      expect(loudness(await call.endpoint.listen(1_000))).toBeGreaterThan(300);
      await call.hangUp();
    });

    it.concurrent("twenty calls at once each get their own sound", async () => {
      const calls = await Promise.all(Array.from({ length: 20 }, () => placeCall(carrier, numbers.echoes)));
      await Promise.all(calls.map((call) => call.answered(20_000)));
      const hzOf = (i: number): number => 400 + 100 * i;
      calls.forEach((call, i) => call.endpoint.sendTone(hzOf(i)));
      const shares = await Promise.all(calls.map((call, i) => hear(call.endpoint, hzOf(i))));
      await Promise.all(calls.map((call) => call.hangUp()));
      for (const share of shares) expect(share).toBeGreaterThan(0.8);
    });

    it.concurrent("closing the carrier ends every call, once", async () => {
      const closing = await open();
      const [talking, ringing] = await Promise.all([
        placeCall(closing, numbers.answers),
        placeCall(closing, numbers.noAnswer),
      ]);
      await talking.answered();
      await closing.close();
      await Promise.all([talking.ended(5_000), ringing.ended(5_000)]);
      await sleep(100);
      const after = await talking.endpoint.listen(300);
      for (const call of [talking, ringing]) {
        call.endpoint.close();
        expect(call.kinds()).toMatch(wholeCall);
      }
      expect(after.length).toBe(0);
    });
  });
}
