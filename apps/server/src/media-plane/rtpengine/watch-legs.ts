import type { LegStats } from "../media-plane.ts";
import { isDue, type Leg, lookEveryMs, note, soonMs } from "./legs.ts";
import type { OpenLegs } from "./open-legs.ts";
import { readSides } from "./read-sides.ts";

/** A browser in a call sends every 20 ms. */
const silenceUntilAwayMs = 1_500;

/** Asks the rtpengines what the legs hear and reacts: a far end that moved, a browser that is connected or silent. */
export function watchLegs(legs: OpenLegs) {
  const { carried } = legs;

  async function look(leg: Leg): Promise<void> {
    leg.looking ??= lookOnce(leg).finally(() => (leg.looking = null));
    await leg.looking;
  }

  async function lookOnce(leg: Leg): Promise<void> {
    const { near, far } = readSides(await carried(leg, leg.session.query()), leg.session.tags());
    const isLost = note(leg, { near, far });
    if (far.isElsewhere) await carried(leg, leg.session.shutOutStrangers());
    else if (isLost) await carried(leg, leg.session.lookForFarEnd());
    if (!near.isSecure || leg.state === "connected" || !legs.has(leg)) return;
    leg.state = "connected";
    legs.reportState(leg.browserLegId, "connected");
  }

  /** The callee hears silence while no browser sends. */
  async function noticeAbsence(leg: Leg): Promise<void> {
    const { session, near, browserLegId } = leg;
    if (session.state.farDescription === null) return;
    // A browser that hasn't sent anything yet is still connecting.
    const silentMs = near.lastAtMs === null ? 0 : performance.now() - near.lastAtMs;
    const away = browserLegId === null || silentMs > silenceUntilAwayMs;
    if (away !== session.state.away) await carried(leg, session.setAway(away));
  }

  async function watchOver(leg: Leg): Promise<void> {
    await look(leg);
    await noticeAbsence(leg);
    await carried(leg, leg.session.finish());
  }

  const watch = setInterval(() => {
    legs.closeDisplaced();
    for (const leg of legs.all()) if (isDue(leg)) void watchOver(leg).catch(() => {});
  }, soonMs);
  watch.unref();

  return {
    look,
    noticeAbsence,
    async stats(legId: string): Promise<LegStats | null> {
      const leg = legs.find(legId);
      if (!leg) return null;
      if (performance.now() - leg.lookedAtMs > lookEveryMs / 2) await look(leg).catch(() => {});
      if (!legs.has(leg)) return null;
      const { packets, lastAtMs } = legId === leg.carrierLegId ? leg.far : leg.near;
      return {
        packetsReceived: packets,
        packetsSent: null,
        packetsLost: null,
        jitterMs: null,
        sinceLastPacketMs: lastAtMs === null ? null : performance.now() - lastAtMs,
      };
    },
    stop: (): void => clearInterval(watch),
  };
}
