import type { ProblemError } from "../../data/problem-error.ts";
import type { Callee, StartWish } from "../call/call-requests.ts";

/**
 * cold: no connection to the server. connecting: being negotiated. ready: sound can flow at once.
 * reconnecting: it was ready, the network broke, and it is being healed.
 */
export type DriverState = "cold" | "connecting" | "ready" | "reconnecting";

/** Why no sound can flow: the server answers and no packet gets through to it, or what it, or nobody, answered last. */
export type Obstacle = "no-way" | ProblemError;

/** Counts since the connection opened; the difference of two readings is what happened in between. */
export interface SoundReading {
  atMs: number;
  packetsReceived: number;
  packetsLost: number;
  jitterMs: number;
  roundTripMs: number | null;
  /** Energy and seconds of what the microphone gave (W3C webrtc-stats, media-source); null where the browser keeps none. */
  microphone: { energy: number; seconds: number } | null;
}

/** Where a call's sound is; of two reports of a call the one with the greater revision is the newer. */
export interface SoundReport {
  callSid: string;
  revision: number;
  /** Null: nowhere. */
  mediaConnectionId: string | null;
}

/**
 * How a call's sound reaches this page. The server owns the call itself: mute, hold, keys and hanging up are requests
 * to it, whichever driver carries the sound.
 */
export interface CallDriver {
  state(): DriverState;
  /** Null while nothing is known to stand in the way. */
  obstacle(): Obstacle | null;
  /** The call whose sound is here. */
  callSid(): string | null;
  /** The connection's name on the wire; null until negotiated. */
  connectionId(): string | null;
  onChange(listener: () => void): () => void;
  /** Keeps a connection ready ahead of a call until cooled down. Needs no microphone, so it asks for none. */
  keepWarm(): void;
  /** Lets the connection go, at once or when its call is over. */
  coolDown(): void;
  /** Places a call. The same key twice dials once. Throws the ProblemError of the request. */
  start(call: Callee & StartWish): Promise<{ callSid: string }>;
  /** Takes a call that rings, with its sound here. Throws the ProblemError of the request. */
  answer(callSid: string): Promise<void>;
  /** Brings a live call's sound here, taking it from any other page. */
  attach(callSid: string): Promise<void>;
  /** The server says where a live call's sound is. Reports may come late: an older one than is known changes nothing. */
  follow(report: SoundReport): void;
  /** The call is over, or its sound is somewhere else. */
  release(): void;
  setMicrophone(track: MediaStreamTrack | null): Promise<void>;
  /** Plays what the browser refused to play before the first gesture. Call it inside a click or a key press. */
  resumeSound(): void;
  /** The browser plays nothing until `resumeSound` is called inside a gesture. */
  soundBlocked(): boolean;
  setSpeaker(deviceId: string | null): Promise<void>;
  readSound(): Promise<SoundReading | null>;
}
