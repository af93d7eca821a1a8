/**
 * What this page is doing about a call. In "live", the server's CallStatus has the details. idle → preparing
 * (microphone) → starting (request sent) → live → ended → idle.
 */
export type CallPhase = "idle" | "preparing" | "starting" | "abandoning" | "live" | "ended";

export type CallPhaseEvent =
  | "call-pressed"
  | "microphone-ready"
  | "start-failed"
  /** The server reported a live call of this user: ours, or one started in another tab. */
  | "call-reported"
  | "call-over"
  | "hang-up-pressed"
  | "dismissed";

/** An event that a phase doesn't list has no effect: stream events and responses race each other. */
const nextPhases: Record<CallPhase, Partial<Record<CallPhaseEvent, CallPhase>>> = {
  idle: { "call-pressed": "preparing", "call-reported": "live" },
  preparing: {
    "microphone-ready": "starting",
    "start-failed": "idle",
    "hang-up-pressed": "idle",
    "call-reported": "live",
  },
  starting: {
    "call-reported": "live",
    "call-over": "ended",
    "start-failed": "idle",
    "hang-up-pressed": "abandoning",
  },
  // Hung up before the server responded: the call is ended as soon as it has an id.
  abandoning: { "call-over": "ended", "start-failed": "idle" },
  live: { "call-over": "ended" },
  ended: { "call-pressed": "preparing", "call-reported": "live", dismissed: "idle" },
};

export const nextPhase = (phase: CallPhase, event: CallPhaseEvent): CallPhase => nextPhases[phase][event] ?? phase;

/** Whether the pad shows its in-call row: hide, hang up, backspace. */
export const isActive = (phase: CallPhase): boolean => phase !== "idle" && phase !== "ended";
