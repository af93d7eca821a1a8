import type { LegPlane } from "../media-plane.ts";
import type { Room } from "../room.ts";
import type { LegsSnapshot } from "./legs.ts";

export type SideName = "near" | "far";

/**
 * Legs elsewhere to which the node hands each side's sound, as plain RTP: each is given the node's description of that side and
 * answers with its own.
 */
export type Relays = Record<SideName, (theirs: string, given: FarSide) => Promise<string>>;

interface FarSide {
  /** By which it sends keys. */
  telephoneEventType: number;
}

/** A browser leg, its carrier leg, or both. */
export interface Session {
  /** Its own. */
  id: string;
  carrierLegId(): string | null;
  browserLegId(): string | null;
  /** With what another process restores it; null where it is over. */
  snapshot(): LegsSnapshot | null;
  hasRelays(): boolean;
  /** From now on its legs hear these alone, in place of each other. Rejects with LegGone where it is over. */
  bringRelays(relays: Relays): Promise<void>;
  dismissRelays(): Promise<void>;
}

export interface RtpenginePlane extends LegPlane {
  /** Lets the two sides of each session in the room hear each other as far as it says so, whoever else they hear. */
  project(room: Room): Promise<void>;
  /** Whether its nodes can bring about all that the room says: of one session, its two sides and the hold music. */
  canApply(room: Room): boolean;
  /** Null where the leg is closed. */
  sessionOf(legId: string): Session | null;
  /** By its own id. */
  findSession(id: string): Session | null;
  /**
   * A session of a process that has ended, with its legs under their ids. Where they met others by way of relay legs of that
   * process, these take their place. Rejects with LegGone where it is gone.
   */
  restore(snapshot: LegsSnapshot, relays: Relays): Promise<Session>;
}
