import { isLive } from "@leadline/contract/call-state";
import { isUnderWay } from "@leadline/contract/call-transfer";
import type { Call } from "@leadline/contract/calls";
import type { DriverState, Obstacle } from "../drivers/call-driver.ts";
import { nothingHeard, type SoundJudgement } from "../quality/judge-sound.ts";
import type { CallPhase } from "./call-phase.ts";
import { holdLabel } from "./hold-label.ts";
import { hadAudioHere } from "./tab-memory.ts";
import { canConsult, isConference } from "./two-calls.ts";

export interface PhoneState {
  /** The user of this phone; null while no one is logged in. */
  userId: string | null;
  phase: CallPhase;
  screen: "keypad" | "active-call";
  /** The number on the pad, formatted; kept across pages, and until a call to it has started. */
  padText: string;
  /** The extension of the number on the pad, or of the call until it is sent; empty if there is none. */
  extension: string;
  /** The lead whose number is on the pad, if one was chosen. */
  padLeadId: string | undefined;
  /** E.164 number of the call being started, or of the last one. */
  dialled: string;
  /** The server's latest state: live, or just ended. */
  call: Call | null;
  /** The user's second line: on hold, or in the conference too. */
  other: Call | null;
  /** The second line's last ended call, until it is dismissed. */
  leftOther: Call | null;
  /** The conference's call that ended first: its note and outcome stay until both are dismissed. */
  partner: Call | null;
  /** On performance.now's clock; null until answered. */
  answeredMs: number | null;
  /** When each call was answered, by call; on the same clock. */
  answerTimes: ReadonlyMap<string, number>;
  keysSent: string;
  /** As requested here, before the server confirms it. */
  muted: boolean;
  held: boolean;
  /** Pending requests to mute or unmute. */
  mutesUnderWay: number;
  /** Which dialog is open: to transfer the call, or to add a second line. */
  transferOpen: "transfer" | "add" | null;
  /** Both calls of a conference that the user has left, whose far ends still talk. */
  leftConference: readonly string[];
  /** The result of the last transfer has been dismissed. */
  transferRead: boolean;
  hangingUp: boolean;
  /** The server doesn't know about the hang-up yet: the network is down. */
  hangUpWaits: boolean;
  /**
   * The idempotency key of the call that is being started with its audio here; until the response arrives, no other
   * page has it.
   */
  startKey: string | null;
  movingAudio: boolean;
  /** Why the call could not be started. */
  startFailure: string | null;
  /** There was no response, and the call may still have started. */
  startUnanswered: boolean;
  /** The inbound call that could not be answered, if that is what failed. */
  answerFailedOf: string | null;
  /** A call that waits for the rep's confirmation, because the organisation is closed or it is the wrong time for the callee. */
  asksOutsideHours: OutsideHours | null;
  /** What an owner or admin can change, so that the call may be started. */
  startRefusedBy: "limits" | "balance" | "rates" | null;
  /** A failed control, or a microphone lost during the call. */
  trouble: string | null;
  driver: DriverState;
  /** Why the driver isn't ready. */
  obstacle: Obstacle | null;
  /** The call whose audio this page has. */
  audioOf: string | null;
  /** The browser plays nothing until the user clicks or presses a key. */
  soundBlocked: boolean;
  sound: SoundJudgement;
  /** The audio has stopped and the server is gone, as far as this page can tell. */
  connectionLost: boolean;
}

export const idlePhone: PhoneState = {
  userId: null,
  phase: "idle",
  screen: "keypad",
  padText: "",
  extension: "",
  padLeadId: undefined,
  dialled: "",
  call: null,
  other: null,
  leftOther: null,
  partner: null,
  answeredMs: null,
  answerTimes: new Map(),
  keysSent: "",
  muted: false,
  held: false,
  mutesUnderWay: 0,
  transferOpen: null,
  leftConference: [],
  transferRead: false,
  hangingUp: false,
  hangUpWaits: false,
  startKey: null,
  movingAudio: false,
  startFailure: null,
  startUnanswered: false,
  answerFailedOf: null,
  asksOutsideHours: null,
  startRefusedBy: null,
  trouble: null,
  driver: "cold",
  obstacle: null,
  audioOf: null,
  soundBlocked: false,
  sound: nothingHeard,
  connectionLost: false,
};

/** A new call keeps only the user, the pad and the state of the connection. */
export const resetBetweenCalls = (state: PhoneState): PhoneState => {
  const { userId, phase, mutesUnderWay, padText, padLeadId, extension } = state;
  const { driver, obstacle, audioOf, soundBlocked } = state;
  const kept = { userId, phase, mutesUnderWay, padText, padLeadId, extension, driver, obstacle, audioOf, soundBlocked };
  return { ...idlePhone, ...kept };
};

/** State that is reset when a call ends, for any reason. */
export const resetAtEnd: Partial<PhoneState> = {
  hangingUp: false,
  hangUpWaits: false,
  movingAudio: false,
  keysSent: "",
  extension: "",
  screen: "keypad",
  muted: false,
  held: false,
  transferOpen: null,
  trouble: null,
  leftOther: null,
};

/** Where the call's audio is. lost: nowhere, or on the page that this tab showed before a reload. */
export type AudioLocation = "here" | "elsewhere" | "lost";

export function audioLocation({ call, audioOf, phase, startKey }: PhoneState): AudioLocation {
  if (!call || !isLive(call.status) || startKey !== null || phase === "abandoning") return "here";
  if (audioOf === call.callSid) return "here";
  return call.mediaConnectionId === null || hadAudioHere(call.mediaConnectionId) ? "lost" : "elsewhere";
}

/** The call continues, but none of the user's pages has its audio: after a reload, until they rejoin. */
export const isWithoutAudio = (state: PhoneState): boolean =>
  state.call?.status === "in-progress" && audioLocation(state) === "lost" && !state.movingAudio;

/** The audio is here, but the browser plays it only after the next click. */
export const isUnheard = (state: PhoneState): boolean =>
  state.soundBlocked &&
  state.phase === "live" &&
  state.call?.status === "in-progress" &&
  audioLocation(state) === "here";

export const isBeingTransferred = ({ call }: Pick<PhoneState, "call">): boolean =>
  call?.status === "in-progress" && call.transfer !== null && isUnderWay(call.transfer);

/** Both sides hear each other: no one is on hold or being transferred. */
export const hasTwoWayAudio = (state: PhoneState): boolean =>
  state.call?.status === "in-progress" && !state.held && !state.call.heldByThem && !isBeingTransferred(state);

/** Whether the call can be held or resumed. In a conference, each call has its own hold. */
export const mayHold = (state: PhoneState): boolean =>
  state.call?.status === "in-progress" && state.call.canHold && !isConference(state) && !isBeingTransferred(state);

/** Without talking to the recipient first. */
const canBeTransferred = (state: Pick<PhoneState, "call" | "other" | "hangingUp">): boolean =>
  state.call?.status === "in-progress" &&
  state.call.canTransfer &&
  state.other === null &&
  !state.hangingUp &&
  !isBeingTransferred(state);

/** Also after talking to the recipient. */
export const mayTransfer = (state: PhoneState): boolean =>
  canBeTransferred(state) || (canConsult(state) && !isBeingTransferred(state));

/** Its audio was here, and both ends are trying to restore it. */
export const isReconnecting = (state: PhoneState): boolean =>
  state.phase === "live" &&
  (state.driver === "reconnecting" || state.connectionLost) &&
  audioLocation(state) === "here";

export const waitingLabel = (carrier: string): string => `Waiting for a free line at ${carrier}…`;

/** The state of the call, in words. */
export function callStageLabel(state: PhoneState): string {
  if (state.hangUpWaits) return "Hanging up when you’re back online…";
  if (state.hangingUp || state.phase === "abandoning") return "Hanging up…";
  if (state.phase === "preparing") return "Opening your microphone…";
  const incoming = state.call?.direction === "inbound";
  if (state.phase === "starting") return state.call ? "Connecting…" : "Calling…";
  if (state.phase !== "live" || !state.call) return "Call ended";
  if (isReconnecting(state)) return "Connection lost. Reconnecting…";
  if (isWithoutAudio(state)) return "You’re still connected, but without audio";
  if (isBeingTransferred(state)) return "Transferring…";
  if (isConference(state)) return "In conference";
  const { heldByThem } = state.call;
  if (state.call.status === "in-progress") return holdLabel({ held: state.held, heldByThem }) ?? "In call";
  if (incoming) return "Connecting…";
  if (state.call.waitsFor !== null) return waitingLabel(state.call.waitsFor);
  return state.call.status === "ringing" ? "Ringing…" : "Calling…";
}

export interface OutsideHours {
  phoneNumber: string;
  /** In the server’s words. */
  why: string;
  /** The callee’s clock decides, so that the call takes a reason; otherwise the organisation’s does. */
  needsReason: boolean;
  place: (reason: string | undefined) => Promise<void>;
}

export interface StartOptions {
  /** The user has already confirmed. */
  outsideHours?: boolean;
  outsideHoursReason?: string | undefined;
  /** A test call through this carrier. */
  carrierId?: string;
}
