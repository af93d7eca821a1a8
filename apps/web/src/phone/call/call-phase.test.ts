import { describe, expect, test } from "vitest";
import { type CallPhase, type CallPhaseEvent, isActive, nextPhase } from "./call-phase.ts";

const after = (...events: CallPhaseEvent[]): CallPhase => events.reduce<CallPhase>(nextPhase, "idle");

describe("the phases of a call on this page", () => {
  test("a call goes from the press over the microphone and the request to live and ended", () => {
    expect(after("call-pressed")).toBe("preparing");
    expect(after("call-pressed", "microphone-settled")).toBe("starting");
    expect(after("call-pressed", "microphone-settled", "call-seen")).toBe("live");
    expect(after("call-pressed", "microphone-settled", "call-seen", "call-over")).toBe("ended");
    expect(after("call-pressed", "microphone-settled", "call-seen", "call-over", "dismissed")).toBe("idle");
  });
  test("a failed start clears the active state", () => {
    expect(isActive(after("call-pressed", "start-failed"))).toBe(false);
    expect(isActive(after("call-pressed", "microphone-settled", "start-failed"))).toBe(false);
  });
  test("hanging up before the server answered waits for the call's name", () => {
    const phase = after("call-pressed", "microphone-settled", "hang-up-pressed");
    expect(phase).toBe("abandoning");
    expect(nextPhase(phase, "call-seen")).toBe("abandoning");
    expect(nextPhase(phase, "call-over")).toBe("ended");
  });
  test("hanging up while the browser asks for the microphone places no call", () => {
    expect(after("call-pressed", "hang-up-pressed", "microphone-settled")).toBe("idle");
  });
  test("a late failure of the start does not end a call that lives", () => {
    expect(after("call-pressed", "microphone-settled", "call-seen", "start-failed")).toBe("live");
  });
  test("a late report of a live call does not revive the phase from abandoning", () => {
    expect(nextPhase("abandoning", "call-seen")).toBe("abandoning");
  });
  test("the next call can be placed from the ended one", () => {
    expect(nextPhase("ended", "call-pressed")).toBe("preparing");
  });
});
