import { describe, expect, test } from "vitest";

import { afterRefusal, type NextStep } from "./after-refusal.ts";
import type { MediaEncryption } from "./choose-line.ts";
import type { InvitePhase } from "./invite-phase.ts";

interface Case {
  phase?: InvitePhase;
  minSe?: string;
  sealing?: MediaEncryption;
}

const afterStatus = (statusCode: number, { phase = "proceeding", minSe, sealing = "never" }: Case = {}): NextStep => {
  const message = { statusCode, getHeader: (name: string) => (name === "min-se" ? minSe : undefined) };
  return afterRefusal({ message, isSilent: false, phase }, { sessionSeconds: 1_800, sealing });
};
const afterSilence = (phase: InvitePhase): NextStep =>
  afterRefusal(
    { message: { statusCode: 408, getHeader: () => undefined }, isSilent: true, phase },
    { sessionSeconds: 1_800, sealing: "never" },
  );

describe("after a refused INVITE", () => {
  test("a longer session interval is requested once more, and a shorter one isn't", () => {
    expect(afterStatus(422, { minSe: "3600" })).toEqual({ step: "again", changed: { minSeconds: 3_600 } });
    expect(afterStatus(422, { minSe: "1800" }).step).toBe("finish");
    expect(afterStatus(422).step).toBe("finish");
  });

  test.each([415, 488, 606])("of the description with %i, the call continues unencrypted only if allowed", (status) => {
    expect(afterStatus(status, { sealing: "possibly" })).toEqual({ step: "again", changed: { inTheClear: true } });
    const cause = { reason: "not-encrypted", sip: status, q850: 88 };
    expect(afterStatus(status, { sealing: "always" })).toEqual({ step: "finish", cause });
    expect(afterStatus(status, { sealing: "never" }).step).toBe("finish");
  });

  test("with 503, the next target is tried, unless the callee has been reached", () => {
    const cause = { reason: "network-failure", sip: 503 };
    expect(afterStatus(503, { phase: "calling" })).toMatchObject({ step: "next", orElse: cause });
    expect(afterStatus(503, { phase: "proceeding" })).toMatchObject({ step: "next", orElse: cause });
    expect(afterStatus(503, { phase: "early" })).toMatchObject({ step: "finish", cause });
  });

  test("a silent target is followed by the next one, unless it had responded before", () => {
    const unanswered = { reason: "network-failure", sip: null, q850: 38 };
    expect(afterSilence("calling")).toEqual({ step: "next", orElse: unanswered });
    expect(afterSilence("proceeding")).toMatchObject({ step: "finish", cause: { sip: 503 } });
    expect(afterSilence("early")).toMatchObject({ step: "finish", cause: { sip: 503 } });
  });

  test("of the call itself ends the call, with the status as its cause", () => {
    expect(afterStatus(486)).toEqual({ step: "finish", cause: { reason: "busy", sip: 486, q850: 17 } });
    expect(afterStatus(404).step).toBe("finish");
  });
});
