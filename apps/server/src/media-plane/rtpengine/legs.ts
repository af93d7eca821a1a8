import { randomUUID } from "node:crypto";

import { z } from "zod";

import type { BrowserLegState } from "../media-plane.ts";
import type { MediaNode } from "./media-pool.ts";
import type { NodeSession } from "./node-session.ts";
import { SessionState, withoutFarEnd } from "./session-state.ts";
import type { Side } from "./read-sides.ts";

export const lookEveryMs = 1_000;
/** For a far end that is expected to send at any moment. */
export const soonMs = 200;

const silenceUntilMovedMs = 500;
/** Between two checks: more than a stray packet or two. */
const steadyPackets = 5;
const firstSearchPauseMs = 2_500;

/**
 * Whether the rtpengine should look for the far end on other ports: it is silent, and something else sends. Searches
 * become rarer, as that may be a stranger, which is heard during a search.
 */
function isFarEndDue(leg: Leg, { packets, refused }: Pick<Side, "packets" | "refused">): boolean {
  const { lastAtMs } = leg.far;
  const silentMs = lastAtMs === null ? Infinity : performance.now() - lastAtMs;
  const isSilent = packets === leg.far.packets && silentMs >= silenceUntilMovedMs;
  if (!isSilent) expectFarEnd(leg, 0);
  // The rtpengine refuses everything until the browser can be sent to.
  const isElsewhere = refused >= leg.far.refused + steadyPackets && leg.near.isSecure;
  const { atMs, pauseMs } = leg.nextSearch;
  if (!isSilent || !isElsewhere || performance.now() < atMs) return false;
  leg.nextSearch = { atMs: performance.now() + pauseMs, pauseMs: pauseMs * 2 };
  return true;
}

/** After the far end has given an address: it gets time to be heard from there. */
export const expectFarEnd = (leg: Leg, withinMs = silenceUntilMovedMs): void =>
  void (leg.nextSearch = { atMs: performance.now() + withinMs, pauseMs: firstSearchPauseMs });

export const LegsSnapshot = z.object({
  carrierLegId: z.string().nullable(),
  browserLegId: z.string().nullable(),
  session: SessionState,
});
export type LegsSnapshot = z.infer<typeof LegsSnapshot>;

export interface Leg {
  readonly session: NodeSession;
  browserLegId: string | null;
  carrierLegId: string | null;
  /** This browser leg has the audio. */
  bridged: boolean;
  state: BrowserLegState;
  near: HeardSide;
  far: HeardSide;
  /** When to look for the far end next, and the pause after that. */
  nextSearch: { atMs: number; pauseMs: number };
  lookedAtMs: number;
  looking: Promise<void> | null;
}

interface HeardSide extends Side {
  lastAtMs: number | null;
}

export const unheard = (): HeardSide => ({
  packets: 0,
  refused: 0,
  lastPacketAt: 0,
  isSecure: false,
  isElsewhere: false,
  lastAtMs: null,
});

export function newLeg(session: NodeSession): Leg {
  return {
    session,
    browserLegId: null,
    carrierLegId: null,
    bridged: false,
    state: "connecting",
    near: unheard(),
    far: unheard(),
    nextSearch: { atMs: 0, pauseMs: firstSearchPauseMs },
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

/** Idle sessions are only checked often enough to notice that the rtpengine has dropped them. */
export function isDue({ session: { state }, carrierLegId, state: browserState, lookedAtMs, far }: Leg): boolean {
  const isFarEndExpected = state.farDescription !== null && far.packets === 0;
  const isExpected = state.away || browserState === "connecting" || isFarEndExpected;
  const everyMs = isExpected ? soonMs : carrierLegId === null ? 5 * lookEveryMs : lookEveryMs;
  return performance.now() - lookedAtMs >= everyMs;
}

function heard(before: HeardSide, now: Side): HeardSide {
  return { ...now, lastAtMs: now.packets > before.packets ? performance.now() : before.lastAtMs };
}

/** Records an rtpengine's report on both sides; returns whether to look for the far end. */
export function note(leg: Leg, { near, far }: { near: Side; far: Side }): boolean {
  leg.lookedAtMs = performance.now();
  leg.near = heard(leg.near, near);
  const isLost = isFarEndDue(leg, far);
  const isKnown = leg.far.lastPacketAt > 0;
  const hasSentOther = isKnown && far.lastPacketAt > leg.far.lastPacketAt;
  leg.far = heard(leg.far, far);
  if (hasSentOther) leg.far.lastAtMs = performance.now();
  return isLost;
}
