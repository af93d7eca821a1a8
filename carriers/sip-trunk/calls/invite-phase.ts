/**
 * The progress of our INVITE (RFC 3261, section 17.1.1): calling (no response) → proceeding (100) → early (any other
 * 1xx) → answered. Before that it may be refused, or abandoned by us.
 */
export type InvitePhase = "calling" | "proceeding" | "early" | "answered" | "refused" | "abandoned";

export type InviteEvent = "trying" | "progress" | "accept" | "refuse" | "abandon";

const final = { accept: "answered", refuse: "refused", abandon: "abandoned" } as const;

/** An event that a phase doesn't list has no effect: responses race each other, and our CANCEL. */
const nextPhases: Record<InvitePhase, Partial<Record<InviteEvent, InvitePhase>>> = {
  calling: { trying: "proceeding", progress: "early", ...final },
  proceeding: { progress: "early", ...final },
  early: final,
  answered: {},
  refused: {},
  // Later responses are met with CANCEL or BYE.
  abandoned: {},
};

export const nextPhase = (phase: InvitePhase, event: InviteEvent): InvitePhase => nextPhases[phase][event] ?? phase;
