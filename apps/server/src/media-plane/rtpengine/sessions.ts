import type { MediaPlane } from "../media-plane.ts";
import type { StandIns } from "./node-session.ts";

/** A browser leg, its carrier leg, or both. */
export interface Session {
  /** Its own. */
  id: string;
  carrierLegId(): string | null;
  /** From now on its legs hear these alone, in place of each other. Rejects with LegGone where it is over. */
  bringStandIns(standIns: StandIns): Promise<void>;
  dismissStandIns(): Promise<void>;
}

export interface RtpenginePlane extends MediaPlane {
  /** Null where the leg is closed. */
  sessionOf(legId: string): Session | null;
}
