import type { CarrierHangUpCause } from "@leadline/adapter-kit/carrier";

/** What a callee does after answering. */
export type Talk = "speaks" | "echoes" | "takes-a-message" | "names-keys";

export interface Callee {
  /** One sentence for the README and the dial pad's help. */
  does: string;
  ringMs: number;
  /** The cause that a caller gets after the ringing, if it never answers. */
  refuses?: CarrierHangUpCause;
  talk?: Talk;
  /** From the answer: it puts the caller on hold, in silence, and resumes. */
  holdsMs?: { from: number; to: number };
  /** From the answer; without it, the caller ends the call. */
  hangsUpAfterMs?: number;
}

export const hungUpThere: CarrierHangUpCause = { reason: "hung-up-there", sip: 200, q850: 16 };

/** 202-555-01xx is reserved for fiction (NANPA), so none of these can ring a real phone. */
export const callees: Record<string, Callee> = {
  "+12025550100": { does: "answers at once and speaks", ringMs: 0, talk: "speaks" },
  "+12025550101": { does: "answers at once and echoes what you say", ringMs: 0, talk: "echoes" },
  "+12025550102": { does: "rings for 8 s, then answers and speaks", ringMs: 8_000, talk: "speaks" },
  "+12025550103": { does: "is busy", ringMs: 0, refuses: { reason: "busy", sip: 486, q850: 17 } },
  "+12025550104": {
    does: "rings and never answers; the call gives up after 15 s",
    ringMs: 15_000,
    refuses: { reason: "no-answer", sip: 480, q850: 19 },
  },
  "+12025550105": {
    does: "rejects the call after 1 s",
    ringMs: 1_000,
    refuses: { reason: "rejected", sip: 603, q850: 21 },
  },
  "+12025550106": {
    does: "cannot be reached: the network fails",
    ringMs: 0,
    refuses: { reason: "network-failure", sip: 503, q850: 38 },
  },
  "+12025550107": {
    does: "is a voicemail: a greeting, a beep, then it listens for 30 s and hangs up",
    ringMs: 1_000,
    talk: "takes-a-message",
  },
  "+12025550108": { does: "is a keypad menu that says each key it hears", ringMs: 0, talk: "names-keys" },
  "+12025550109": {
    does: "answers, speaks and hangs up after 10 s",
    ringMs: 0,
    talk: "speaks",
    hangsUpAfterMs: 10_000,
  },
  "+12025550110": {
    does: "answers, speaks, and puts you on hold from its 3rd second to its 9th",
    ringMs: 0,
    talk: "speaks",
    holdsMs: { from: 3_000, to: 9_000 },
  },
};

const anyOther: Callee = { does: "rings for 3 s, then answers and speaks", ringMs: 3_000, talk: "speaks" };

export function calleeAt(number: string): Callee {
  return callees[number] ?? anyOther;
}
