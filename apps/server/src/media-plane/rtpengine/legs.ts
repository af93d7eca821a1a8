import { randomUUID } from "node:crypto";

import { z } from "zod";

import type { BrowserLegState } from "../media-plane.ts";
import type { MediaNode } from "./media-pool.ts";
import type { NodeSession } from "./node-session.ts";
import { SessionState, withoutFarEnd } from "./session-state.ts";
import type { Side } from "./read-sides.ts";

export const lookEveryMs = 1_000;
/** At one that is expected to speak any moment. */
export const soonMs = 200;

export const RememberedLegs = z.object({
  carrierLegId: z.string().nullable(),
  browserLegId: z.string().nullable(),
  session: SessionState,
});
export type RememberedLegs = z.infer<typeof RememberedLegs>;

export interface Leg {
  readonly session: NodeSession;
  browserLegId: string | null;
  carrierLegId: string | null;
  /** The browser leg that has its id here has the sound. */
  bridged: boolean;
  state: BrowserLegState;
  near: Heard;
  far: Heard;
  lookedAtMs: number;
  looking: Promise<void> | null;
}

interface Heard extends Side {
  lastAtMs: number | null;
}

export const unheard = (): Heard => ({ packets: 0, isSecure: false, isElsewhere: false, lastAtMs: null });

export function newLeg(session: NodeSession): Leg {
  return {
    session,
    browserLegId: null,
    carrierLegId: null,
    bridged: false,
    state: "connecting",
    near: unheard(),
    far: unheard(),
    lookedAtMs: -Infinity,
    looking: null,
  };
}

export const newState = (node: MediaNode, offer: string): SessionState => ({
  node: node.name,
  callId: randomUUID(),
  offer,
  version: 0,
  browsers: 1,
  farEnds: 1,
  plain: { host: "", port: 0 },
  away: false,
  ...withoutFarEnd(),
});

/** Idle ones only as often as it takes to notice that the node has dropped them. */
export function isDue({ session: { state }, carrierLegId, state: browserState, lookedAtMs }: Leg): boolean {
  const isExpected = state.away || browserState === "connecting";
  const everyMs = isExpected ? soonMs : carrierLegId === null ? 5 * lookEveryMs : lookEveryMs;
  return performance.now() - lookedAtMs >= everyMs;
}

export function heard(before: Heard, now: Side): Heard {
  return { ...now, lastAtMs: now.packets > before.packets ? performance.now() : before.lastAtMs };
}
