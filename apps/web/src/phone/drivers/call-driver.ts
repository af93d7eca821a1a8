import type { ProblemError } from "../../data/problem-error.ts";
import type { Callee, StartWish } from "../../data/call-requests.ts";

/**
 * cold: no connection to the server. connecting: being negotiated. ready: audio can flow immediately. reconnecting: it
 * was ready, the network broke, and it is being restored.
 */
export type DriverState = "cold" | "connecting" | "ready" | "reconnecting";

/**
 * Why no audio can flow: the server responds but no packet gets through to it ("no-way"), or the last error, if any.
 */
export type Obstacle = "no-way" | ProblemError;

/** Counts since the connection opened; the difference of two readings is what happened in between. */
export interface AudioReading {
  atMs: number;
  packetsReceived: number;
  packetsLost: number;
  jitterMs: number;
  roundTripMs: number | null;
  /** Energy and seconds of microphone audio (W3C webrtc-stats, media-source); null if the browser doesn't report it. */
  microphone: { energy: number; seconds: number } | null;
}

/** Where a call's audio is; of two reports of a call, the one with the higher revision is newer. */
export interface SoundReport {
  callSid: string;
  revision: number;
  /** Null: nowhere. */
  mediaConnectionId: string | null;
}

/**
 * How a call's audio reaches this page. The server owns the call itself: mute, hold, DTMF and hanging up are requests
 * to it, whichever driver carries the audio.
 */
export interface CallDriver {
  state(): DriverState;
  /** Null while no obstacle is known. */
  obstacle(): Obstacle | null;
  /** The call whose audio is here. */
  callSid(): string | null;
  /** The connection's id on the server; null until negotiated. */
  connectionId(): string | null;
  onChange(listener: () => void): () => void;
  /** Keeps a connection ready for a call until cooled down. It needs no microphone, so it requests none. */
  keepWarm(): void;
  /** Closes the connection, immediately or when its call is over. */
  coolDown(): void;
  /** Places a call. The same key dials only once. Throws the request's ProblemError. */
  start(call: Callee & StartWish): Promise<{ callSid: string }>;
  /** Answers a ringing call, with its audio here. Throws the request's ProblemError. */
  answer(callSid: string): Promise<void>;
  /** Moves a live call's audio here from any other page. */
  attach(callSid: string): Promise<void>;
  /** The server reports where a live call's audio is. Reports may be late: an older one than the last has no effect. */
  follow(report: SoundReport): void;
  /** The call is over, or its audio is elsewhere. */
  release(): void;
  setMicrophone(track: MediaStreamTrack | null): Promise<void>;
  /** Plays what the browser blocked before the first gesture. Call it inside a click or a key press. */
  resumeSound(): void;
  /** The browser plays nothing until `resumeSound` is called inside a gesture. */
  soundBlocked(): boolean;
  setSpeaker(deviceId: string | null): Promise<void>;
  readSound(): Promise<AudioReading | null>;
}
