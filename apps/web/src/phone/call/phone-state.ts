import { isLive } from "@leadline/contract/call-state";
import { isUnderWay } from "@leadline/contract/call-transfer";
import type { Call } from "@leadline/contract/calls";
import type { DriverState, Obstacle } from "../drivers/call-driver.ts";
import { nothingHeard, type SoundJudgement } from "../quality/judge-sound.ts";
import type { CallPhase } from "./call-phase.ts";
import { holdWords } from "./hold-words.ts";
import { hadSoundHere } from "./tab-memory.ts";
import { isConference } from "./two-calls.ts";

export interface PhoneState {
  /** Whose phone it is; null while nobody is signed in. */
  userId: string | null;
  phase: CallPhase;
  screen: "keypad" | "active-call";
  /** What stands on the pad, grouped; kept while other pages are open, and until a call of it has started. */
  padText: string;
  /** The extension behind the number on the pad, or of the call until it is sent; empty where there is none. */
  extension: string;
  /** The lead whose number stands there, where one was chosen. */
  padLeadId: string | undefined;
  /** E.164 of the call being started, or of the last one. */
  dialled: string;
  /** As the server last told: live, or the one that has just ended. */
  call: Call | null;
  /** The person's other line: who waits, or who is in the conference too. */
  other: Call | null;
  /** The last one of that line that ended, until that has been read. */
  leftOther: Call | null;
  /** The one of a conference that has ended first: its note and outcome stay until both are put away. */
  partner: Call | null;
  /** On performance.now's clock; null until answered. */
  answeredMs: number | null;
  keysSent: string;
  /** What was asked for here, which the server's word follows. */
  muted: boolean;
  held: boolean;
  /** Requests to mute or unmute that are not answered yet. */
  mutesUnderWay: number;
  /** The dialog that asks whom to send them to, or to call beside them, is open. */
  transferOpen: "transfer" | "add" | null;
  /** Both calls of the conference that the person left here, whose ends go on talking. */
  leftConference: readonly string[];
  /** What became of the last transfer has been read. */
  transferRead: boolean;
  hangingUp: boolean;
  /** The server does not know of the hanging up yet: the network is gone. */
  hangUpWaits: boolean;
  /** The key of the call that is being started with its sound here; until that is answered nobody else has it. */
  startKey: string | null;
  takingSound: boolean;
  /** Why the call could not be started. */
  startFailure: string | null;
  /** No answer came to it, and the call may have begun all the same. */
  startUnanswered: boolean;
  /** The call that rang and could not be taken, where that is what failed. */
  answerFailedOf: string | null;
  /** A call that waits for the person to say that it is to be placed though the organisation is closed. */
  asksOutsideHours: { phoneNumber: string; place: () => Promise<void> } | null;
  /** By limits of the organisation, which an admin may change. */
  startRefusedByLimits: boolean;
  /** A control that did not work, or a microphone lost in the call. */
  trouble: string | null;
  driver: DriverState;
  /** Why the driver is not ready. */
  obstacle: Obstacle | null;
  /** The call whose sound this page has. */
  soundOf: string | null;
  /** The browser plays nothing until the person presses something. */
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
  takingSound: false,
  startFailure: null,
  startUnanswered: false,
  answerFailedOf: null,
  asksOutsideHours: null,
  startRefusedByLimits: false,
  trouble: null,
  driver: "cold",
  obstacle: null,
  soundOf: null,
  soundBlocked: false,
  sound: nothingHeard,
  connectionLost: false,
};

/** A new call starts from nothing but whose phone it is, what stands on the pad and the state of the connection. */
export const keptBetweenCalls = (state: PhoneState): PhoneState => {
  const { userId, phase, mutesUnderWay, padText, padLeadId, extension } = state;
  const { driver, obstacle, soundOf, soundBlocked } = state;
  const kept = { userId, phase, mutesUnderWay, padText, padLeadId, extension, driver, obstacle, soundOf, soundBlocked };
  return { ...idlePhone, ...kept };
};

/** What a call's end settles, however it came. */
export const settledByEnd: Partial<PhoneState> = {
  hangingUp: false,
  hangUpWaits: false,
  takingSound: false,
  keysSent: "",
  extension: "",
  screen: "keypad",
  muted: false,
  held: false,
  transferOpen: null,
  trouble: null,
  leftOther: null,
};

/** Where the call's sound is. lost: nowhere, or on the page that this tab showed before it was reloaded. */
export type SoundPlace = "here" | "elsewhere" | "lost";

export function soundPlace({ call, soundOf, phase, startKey }: PhoneState): SoundPlace {
  if (!call || !isLive(call.status) || startKey !== null || phase === "abandoning") return "here";
  if (soundOf === call.callSid) return "here";
  return call.mediaConnectionId === null || hadSoundHere(call.mediaConnectionId) ? "lost" : "elsewhere";
}

/** The call goes on, but no page of this person's has its audio: after a reload, until they rejoin. */
export const isWithoutAudio = (state: PhoneState): boolean =>
  state.call?.status === "in-progress" && soundPlace(state) === "lost" && !state.takingSound;

/** The sound is here, but the person hears nothing of it before the next click. */
export const isUnheard = (state: PhoneState): boolean =>
  state.soundBlocked && state.phase === "live" && state.call?.status === "in-progress" && soundPlace(state) === "here";

export const isBeingTransferred = ({ call }: Pick<PhoneState, "call">): boolean =>
  call?.status === "in-progress" && call.transfer !== null && isUnderWay(call.transfer);

/** Both sides hear each other: nobody waits on hold, nor while being transferred. */
export const areTogether = (state: PhoneState): boolean =>
  state.call?.status === "in-progress" && !state.held && !state.call.heldByThem && !isBeingTransferred(state);

/** Put on hold, or taken off it. In a conference each is held by itself. */
export const mayHold = (state: PhoneState): boolean =>
  state.call?.status === "in-progress" && state.call.canHold && !isConference(state) && !isBeingTransferred(state);

/** Without talking with the other one first. */
export const canBeTransferred = (state: Pick<PhoneState, "call" | "other" | "hangingUp">): boolean =>
  state.call?.status === "in-progress" &&
  state.call.canTransfer &&
  state.other === null &&
  !state.hangingUp &&
  !isBeingTransferred(state);

/** Its audio was here, and both ends are trying to bring it back. */
export const isReconnecting = (state: PhoneState): boolean =>
  state.phase === "live" && (state.driver === "reconnecting" || state.connectionLost) && soundPlace(state) === "here";

export const waitingWords = (carrier: string): string => `Waiting for a free line at ${carrier}…`;

/** What the call is doing, in words. */
export function callStageWords(state: PhoneState): string {
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
  if (state.call.status === "in-progress") return holdWords({ held: state.held, heldByThem }) ?? "In call";
  if (incoming) return "Connecting…";
  if (state.call.waitsFor !== null) return waitingWords(state.call.waitsFor);
  return state.call.status === "ringing" ? "Ringing…" : "Calling…";
}

export interface StartOptions {
  /** The person has been asked already. */
  outsideHours?: boolean;
  /** A test call, through this carrier. */
  carrierId?: string;
}
