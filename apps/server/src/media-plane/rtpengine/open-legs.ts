import { randomUUID } from "node:crypto";

import { type BrowserLegState, LegGone } from "../media-plane.ts";
import type { Leg } from "./legs.ts";
import type { MediaNode } from "./media-pool.ts";
import { NodeRefused, NodeSilent } from "./ng-client.ts";

/** The pool's legs, by session and by the ids of their two sides, and who is told about a browser's. */
export function createOpenLegs(log: { warn(details: object, message: string): void }) {
  const listeners: ((change: { legId: string; state: BrowserLegState }) => void)[] = [];
  const legs = new Set<Leg>();
  const byId = new Map<string, Leg>();
  /** Browser legs that another browser is taking over; they are reported closed once it has the audio. */
  const displaced = new Map<string, Leg>();

  function reportState(legId: string | null, state: BrowserLegState): void {
    if (legId === null) return;
    if (state === "closed") byId.delete(legId);
    for (const listener of listeners) listener({ legId, state });
  }

  function lose(leg: Leg): void {
    legs.delete(leg);
    if (leg.carrierLegId !== null) byId.delete(leg.carrierLegId);
    reportState(leg.browserLegId, "closed");
  }

  function forgetDisplaced(legId: string): boolean {
    const wasDisplaced = displaced.delete(legId);
    if (wasDisplaced) reportState(legId, "closed");
    return wasDisplaced;
  }

  return {
    all: (): Iterable<Leg> => legs,
    add: (leg: Leg): void => void legs.add(leg),
    has: (leg: Leg): boolean => legs.has(leg),
    remove: (leg: Leg): void => void legs.delete(leg),
    find: (legId: string): Leg | undefined => byId.get(legId),
    /** Throws LegGone if the leg is closed. */
    known(legId: string): Leg {
      const leg = byId.get(legId);
      if (!leg) throw new LegGone("This leg is closed.");
      return leg;
    },
    identify: (legId: string, leg: Leg): void => void byId.set(legId, leg),
    /** Draws an id for one of its sides. */
    name(leg: Leg, as: "browserLegId" | "carrierLegId"): string {
      const legId = randomUUID();
      leg[as] = legId;
      byId.set(legId, leg);
      return legId;
    },
    unname: (legId: string): void => void byId.delete(legId),
    loseNode(node: MediaNode): void {
      for (const leg of legs) if (leg.session.node === node) lose(leg);
    },
    /** If the rtpengine no longer knows the session, the leg is lost; the caller handles any other failure. */
    async carried<T>(leg: Leg, work: Promise<T>): Promise<T> {
      try {
        return await work;
      } catch (error) {
        const isUnknown = error instanceof NodeRefused && /unknown call-id/i.test(error.message);
        if (isUnknown && legs.has(leg)) {
          log.warn({ node: leg.session.node.name }, "an rtpengine no longer knows a session");
          lose(leg);
        }
        if (isUnknown || error instanceof NodeSilent) throw new LegGone("The media server has lost this leg.");
        throw error;
      }
    },
    onState: (listener: (change: { legId: string; state: BrowserLegState }) => void): void =>
      void listeners.push(listener),
    reportState,
    displace: (leg: Leg): void => {
      if (leg.browserLegId !== null) displaced.set(leg.browserLegId, leg);
    },
    /** False if it isn't displaced. */
    forgetDisplaced,
    /** Reports those closed whose next browser has the audio. */
    closeDisplaced(): void {
      for (const [legId, leg] of displaced) if (leg.bridged || !legs.has(leg)) forgetDisplaced(legId);
    },
  };
}
export type OpenLegs = ReturnType<typeof createOpenLegs>;
