import { describe, expect, test } from "vitest";

import { type InviteEvent, type InvitePhase, nextPhase } from "./invite-phase.ts";

const after = (...events: InviteEvent[]): InvitePhase => events.reduce<InvitePhase>(nextPhase, "calling");

describe("the phases of an INVITE", () => {
  test("go from calling to proceeding, early and answered", () => {
    expect(after()).toBe("calling");
    expect(after("trying")).toBe("proceeding");
    expect(after("trying", "progress")).toBe("early");
    expect(after("trying", "progress", "accept")).toBe("answered");
  });
  test("may skip responses that a far end doesn't send", () => {
    expect(after("progress")).toBe("early");
    expect(after("accept")).toBe("answered");
    expect(after("refuse")).toBe("refused");
  });
  test("don't go back when a late 100 arrives", () => {
    expect(after("progress", "trying")).toBe("early");
  });
  test("stay abandoned when the answer crosses the CANCEL", () => {
    expect(after("progress", "abandon", "accept")).toBe("abandoned");
    expect(after("abandon", "trying", "progress")).toBe("abandoned");
  });
  test("stay answered or refused when abandoned too late", () => {
    expect(after("accept", "abandon")).toBe("answered");
    expect(after("refuse", "abandon")).toBe("refused");
  });
});
