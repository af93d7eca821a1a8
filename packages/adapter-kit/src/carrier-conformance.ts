import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Carrier, CarrierCapabilities } from "./carrier.ts";
import { testCallAudio } from "./conformance/call-audio.ts";
import { testCallEnds } from "./conformance/call-ends.ts";
import { describeNumbersConformance, type NumbersConformance } from "./conformance/numbers.ts";
import { testTransfers } from "./conformance/transfers.ts";

/** E.164 numbers whose test peers behave as the property's name says. */
export interface ConformanceNumbers {
  answers: string;
  echoes: string;
  busy: string;
  noAnswer: string;
  rejects: string;
  networkFailure: string;
  /** Answers, then hangs up within 15 s. */
  hangsUp: string;
  /** Answers, then holds and resumes within 15 s. */
  holds: string;
  /** Speaks after each digit and is silent in between. */
  menu: string;
  /** Replaces us in another call to it, if the carrier supports that. */
  takesOurPlace: string;
}

export interface ConformanceOptions {
  name: string;
  capabilities: CarrierCapabilities;
  open: () => Promise<Carrier>;
  numbers: ConformanceNumbers;
  /** If capabilities.numbers. */
  selling?: NumbersConformance;
}

export interface CarrierUnderTest extends Pick<ConformanceOptions, "capabilities" | "open" | "numbers"> {
  /** Open while the tests run. */
  carrier: () => Carrier;
}

/** The tests that every carrier must pass before it is listed in the server's adapters. */
export function describeCarrierConformance({ name, capabilities, open, numbers, selling }: ConformanceOptions): void {
  describe(`${name} keeps a carrier's promises`, { timeout: 40_000 }, () => {
    let carrier: Carrier;
    beforeAll(async () => {
      carrier = await open();
    });
    afterAll(() => carrier.close());

    it("declares the numbers capability only if it sells numbers", () => {
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
