import type { LegPlane } from "../media-plane.ts";
import type { Room } from "../room.ts";
import type { LegsSnapshot } from "./legs.ts";

export type SideName = "near" | "far";

/**
 * External legs that get each side's audio from the rtpengine as plain RTP: each is called with the rtpengine's
 * description of that side and resolves to its own.
 */
export type Relays = Record<SideName, (theirs: string, given: FarSide) => Promise<string>>;

interface FarSide {
  /** The payload type of its telephone events. */
  telephoneEventType: number;
}

/** A browser leg, its carrier leg, or both. */
export interface Session {
  /** The session's own id. */
  id: string;
  carrierLegId(): string | null;
  browserLegId(): string | null;
  /** From this, another process restores the session; null if it is over. */
  snapshot(): LegsSnapshot | null;
  hasRelays(): boolean;
  /**
   * From now on the session's legs hear only these instead of each other. Rejects with LegGone if the session is over.
   */
  openRelays(relays: Relays): Promise<void>;
  dismissRelays(): Promise<void>;
}

export interface RtpenginePlane extends LegPlane {
  /**
   * Applies the room to the two sides of each session in it, as far as they hear each other, whoever else they hear.
   */
  project(room: Room): Promise<void>;
  /**
   * Whether the rtpengines alone can bring about the whole room: it is within one session, with its two sides and the
   * hold music.
   */
  canApply(room: Room): boolean;
  /** Null if the leg is closed. */
  sessionOf(legId: string): Session | null;
  /** By the session's own id. */
  findSession(id: string): Session | null;
  /**
   * Restores a session of a dead process, with its legs under their former ids. The given relays replace that process's
   * relay legs, if it had any. Rejects with LegGone if the session is gone.
   */
  restore(snapshot: LegsSnapshot, relays: Relays): Promise<Session>;
}
