import { describe, expect, test } from "vitest";
import { type CallPhase, type CallPhaseEvent, isActive, nextPhase } from "./call-phase.ts";

const after = (...events: CallPhaseEvent[]): CallPhase => events.reduce<CallPhase>(nextPhase, "idle");

describe("the phases of a call on this page", () => {
  test("a call goes from the click through the microphone and the request to live and ended", () => {
    expect(after("call-pressed")).toBe("preparing");
    expect(after("call-pressed", "microphone-ready")).toBe("starting");
    expect(after("call-pressed", "microphone-ready", "call-reported")).toBe("live");
    expect(after("call-pressed", "microphone-ready", "call-reported", "call-over")).toBe("ended");
    expect(after("call-pressed", "microphone-ready", "call-reported", "call-over", "dismissed")).toBe("idle");
  });
  test("a failed start clears the active state", () => {
    expect(isActive(after("call-pressed", "start-failed"))).toBe(false);
    expect(isActive(after("call-pressed", "microphone-ready", "start-failed"))).toBe(false);
  });
  test("hanging up before the server responds waits for the call's id", () => {
    const phase = after("call-pressed", "microphone-ready", "hang-up-pressed");
    expect(phase).toBe("abandoning");
    expect(nextPhase(phase, "call-reported")).toBe("abandoning");
    expect(nextPhase(phase, "call-over")).toBe("ended");
  });
  test("hanging up while the browser asks for the microphone places no call", () => {
    expect(after("call-pressed", "hang-up-pressed", "microphone-ready")).toBe("idle");
  });
  test("a late failure of the start doesn't end a live call", () => {
    expect(after("call-pressed", "microphone-ready", "call-reported", "start-failed")).toBe("live");
  });
  test("a late report of a live call doesn't leave the abandoning phase", () => {
    expect(nextPhase("abandoning", "call-reported")).toBe("abandoning");
  });
  test("the next call can start from the ended one", () => {
    expect(nextPhase("ended", "call-pressed")).toBe("preparing");
  });
});
