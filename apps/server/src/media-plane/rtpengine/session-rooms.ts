import { LegGone } from "../media-plane.ts";
import { holdMusic, type Room, type Source } from "../room.ts";
import type { Leg } from "./legs.ts";

interface Actions {
  find(legId: string): Leg | undefined;
  /** Throws LegGone if the leg is closed. */
  known(legId: string): Leg;
  carried<T>(leg: Leg, work: Promise<T>): Promise<T>;
}

/**
 * Applies the part of a room that an rtpengine can bring about: which of a session's two sides hears the other, or the
 * hold music.
 */
export function sessionRooms({ find, known, carried }: Actions) {
  function isOnNode(legId: string, source: Source): boolean {
    const leg = find(legId);
    if (source === holdMusic) return legId === leg?.carrierLegId;
    return typeof source === "string" && (source === leg?.browserLegId || source === leg?.carrierLegId);
  }

  return {
    canApply: ({ participants, taps = [] }: Room): boolean =>
      taps.length === 0 &&
      participants.every(({ legId, hears }) => find(legId) && hears.every((source) => isOnNode(legId, source))),
    async project({ participants }: Room): Promise<void> {
      const ofLegs = Map.groupBy(participants, ({ legId }) => known(legId));
      for (const [leg, sides] of ofLegs) {
        const { browserLegId, carrierLegId, session } = leg;
        if (sides.some(({ legId }) => legId !== browserLegId && legId !== carrierLegId))
          throw new LegGone("Another browser has the call’s audio.");
        const near = sides.find(({ legId }) => legId === browserLegId);
        const far = sides.find(({ legId }) => legId === carrierLegId);
        if (near) leg.bridged = true;
        const nearHears = carrierLegId !== null && near?.hears.includes(carrierLegId) === true;
        const isHeard = browserLegId !== null && far?.hears.includes(browserLegId) === true;
        const farHears = far?.hears.includes(holdMusic) ? "music" : isHeard ? "near" : "nothing";
        await carried(leg, session.setRoom({ nearHears, farHears }));
      }
    },
  };
}
