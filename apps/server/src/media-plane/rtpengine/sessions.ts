import type { LegPlane } from "../media-plane.ts";
import type { RememberedLegs } from "./legs.ts";

export type SideName = "near" | "far";

/**
 * Legs elsewhere to which the node hands each side's sound, as plain RTP: each is given the node's description of that side and
 * answers with its own.
 */
export type StandIns = Record<SideName, (theirs: string, given: FarSide) => Promise<string>>;

interface FarSide {
  held: boolean;
  muted: boolean;
  /** By which it sends keys. */
  telephoneEventType: number;
}

/** A browser leg, its carrier leg, or both. */
export interface Session {
  /** Its own. */
  id: string;
  carrierLegId(): string | null;
  browserLegId(): string | null;
  /** With what another process takes it up; null where it is over. */
  remember(): RememberedLegs | null;
  hasStandIns(): boolean;
  /** From now on its legs hear these alone, in place of each other. Rejects with LegGone where it is over. */
  bringStandIns(standIns: StandIns): Promise<void>;
  dismissStandIns(): Promise<void>;
}

export interface RtpenginePlane extends LegPlane {
  /** Null where the leg is closed. */
  sessionOf(legId: string): Session | null;
  /** By its own id. */
  findSession(id: string): Session | null;
  /**
   * A session of a process that has ended, with its legs under their ids. Where they met others by way of stand-ins of that
   * process, these take their place. Rejects with LegGone where it is gone.
   */
  takeUp(remembered: RememberedLegs, standIns: StandIns): Promise<Session>;
}
