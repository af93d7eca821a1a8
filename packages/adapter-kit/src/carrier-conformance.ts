import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Carrier, CarrierCapabilities } from "./carrier.ts";
import { testCallAudio } from "./conformance/call-audio.ts";
import { testCallEnds } from "./conformance/call-ends.ts";
import { describeNumbersConformance, type NumbersConformance } from "./conformance/numbers.ts";
import { testTransfers } from "./conformance/transfers.ts";

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

export interface CarrierUnderTest extends Pick<ConformanceOptions, "capabilities" | "open" | "numbers"> {
  /** Open while the tests run. */
  carrier: () => Carrier;
}

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

    const tested: CarrierUnderTest = { capabilities, open, numbers, carrier: () => carrier };
    testCallEnds(tested);
    testCallAudio(tested);
    testTransfers(tested);
  });
}
