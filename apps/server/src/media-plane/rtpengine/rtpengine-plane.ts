import { randomUUID } from "node:crypto";

import { type BrowserLegState, LegGone, type LegStats, NoMediaServer, UnusableOffer } from "../media-plane.ts";
import { type MediaNode, type NodeAddress, openMediaPool } from "./media-pool.ts";
import { NodeRefused, NodeSilent } from "./ng-client.ts";
import { isFull, refuseOffer } from "./node-refusals.ts";
import { nodeSession } from "./node-session.ts";
import { expectFarEnd, isDue, type Leg, lookEveryMs, newLeg, newState, note, soonMs, unheard } from "./legs.ts";
import { takesKeyEvents } from "./send-digits.ts";
import { readSides } from "./read-sides.ts";
import { sessionRooms } from "./session-rooms.ts";
import type { RtpenginePlane, Session } from "./sessions.ts";

/** A browser in a call sends every 20 ms. */
const silenceUntilAwayMs = 1_500;

export interface RtpenginePlaneOptions {
  log: { info(details: object, message: string): void; warn(details: object, message: string): void };
}

/**
 * The media plane on a pool of rtpengines. A browser leg is a session of one rtpengine, and its carrier leg is that
 * session's far side: the audio passes through the rtpengine once. A browser leg has one carrier leg at a time.
 * rtpengine doesn't mix, play or record for us: for that, the in-process plane is used (with-mixer.ts).
 */
export async function createRtpenginePlane(
  addresses: readonly NodeAddress[],
  { log }: RtpenginePlaneOptions,
): Promise<RtpenginePlane> {
  const listeners: ((change: { legId: string; state: BrowserLegState }) => void)[] = [];
  const legs = new Set<Leg>();
  const byId = new Map<string, Leg>();
  /** Browser legs that another browser is taking over; they are reported closed once it has the audio. */
  const displaced = new Map<string, Leg>();
  const pool = await openMediaPool(addresses, { log, onAway: loseNode });

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

  function loseNode(node: MediaNode): void {
    for (const leg of legs) if (leg.session.node === node) lose(leg);
  }

  function known(legId: string): Leg {
    const leg = byId.get(legId);
    if (!leg) throw new LegGone("This leg is closed.");
    return leg;
  }

  /** If the rtpengine no longer knows the session, the leg is lost; the caller handles any other failure. */
  async function carried<T>(leg: Leg, work: Promise<T>): Promise<T> {
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
  }

  async function openOnSomeNode(offer: string): Promise<{ leg: Leg; answer: string }> {
    const tried = new Set<MediaNode>();
    for (;;) {
      const node = pool.choose({ except: tried });
      if (!node) throw new NoMediaServer("No rtpengine answers.");
      tried.add(node);
      const session = nodeSession(node, newState(node, offer));
      try {
        const answer = await session.negotiate(offer);
        return { leg: newLeg(session), answer };
      } catch (error) {
        // Half of it may exist, even if nothing was answered.
        const ended = session.end().catch(() => {});
        if (error instanceof NodeSilent || isFull(error)) continue;
        await ended;
        refuseOffer(error);
      }
    }
  }

  /** The previous browser keeps its leg until the next one has the audio. */
  async function takeOver(leg: Leg, offer: string): Promise<string> {
    const answer = await carried(leg, leg.session.takeOver(offer)).catch(refuseOffer);
    if (leg.browserLegId !== null) displaced.set(leg.browserLegId, leg);
    // A relay leg already hears the next one.
    Object.assign(leg, { bridged: leg.session.hasRelays(), state: "connecting", near: unheard() });
    return answer;
  }

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
    reportState(leg.browserLegId, "connected");
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

  const watch = setInterval(() => {
    for (const [legId, leg] of displaced) if (leg.bridged || !legs.has(leg)) forgetDisplaced(legId);
    for (const leg of legs) if (isDue(leg)) void watchOver(leg).catch(() => {});
  }, soonMs);
  watch.unref();

  async function watchOver(leg: Leg): Promise<void> {
    await look(leg);
    await noticeAbsence(leg);
    await carried(leg, leg.session.finish());
  }

  function forgetDisplaced(legId: string): void {
    displaced.delete(legId);
    reportState(legId, "closed");
  }

  async function statsOf(legId: string): Promise<LegStats | null> {
    const leg = byId.get(legId);
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
  }

  function name(leg: Leg, as: "browserLegId" | "carrierLegId"): string {
    const legId = randomUUID();
    leg[as] = legId;
    byId.set(legId, leg);
    return legId;
  }

  /** Frees the side that has left; a session with neither side is over. */
  async function letGo(leg: Leg): Promise<void> {
    if (leg.carrierLegId !== null) return noticeAbsence(leg);
    if (leg.browserLegId !== null) return carried(leg, leg.session.leaveFarEnd());
    legs.delete(leg);
    await leg.session.end();
  }

  function sessionOf(leg: Leg): Session {
    const { session } = leg;
    const { state, hasRelays } = session;
    return {
      id: state.callId,
      carrierLegId: () => leg.carrierLegId,
      browserLegId: () => leg.browserLegId,
      snapshot() {
        const { carrierLegId, browserLegId } = leg;
        return legs.has(leg) ? { carrierLegId, browserLegId, session: state } : null;
      },
      hasRelays,
      bringRelays: (relays) => carried(leg, session.bringRelays(relays)),
      dismissRelays: () => carried(leg, session.dismissRelays()),
    };
  }

  const { canApply, project } = sessionRooms({ find: (legId) => byId.get(legId), known, carried });

  const cannot = (): Promise<never> =>
    Promise.reject(new Error("An rtpengine neither mixes, plays nor records for us."));

  return {
    async openBrowserLeg(offer, { carrierLegId } = {}) {
      const there = carrierLegId === undefined ? null : known(carrierLegId);
      const { leg, answer } = there
        ? { leg: there, answer: await takeOver(there, offer) }
        : await openOnSomeNode(offer);
      legs.add(leg);
      const legId = name(leg, "browserLegId");
      reportState(legId, "connecting");
      return { legId, answer };
    },
    async restartBrowserLeg(legId, offer) {
      const leg = known(legId);
      if (leg.browserLegId !== legId) throw new LegGone("Another browser has the call’s audio.");
      if (leg.session.fingerprintOf(offer) !== leg.session.fingerprintOf(leg.session.state.offer))
        throw new UnusableOffer("The browser’s new offer is not from the same connection.");
      return { answer: await carried(leg, leg.session.negotiate(offer)).catch(refuseOffer) };
    },
    async openCarrierLeg({ browserLegId } = {}) {
      if (browserLegId === undefined) return cannot();
      const leg = known(browserLegId);
      const isFree = (): boolean => leg.browserLegId === browserLegId && leg.carrierLegId === null;
      if (isFree()) {
        leg.far = unheard();
        await look(leg);
      }
      if (!isFree()) throw new LegGone("This browser leg has a carrier leg already.");
      return { legId: name(leg, "carrierLegId"), offer: await leg.session.offerToFarEnd() };
    },
    acceptCarrierAnswer: async (legId, answer) => {
      const leg = known(legId);
      await carried(leg, leg.session.joinFarEnd(answer));
      expectFarEnd(leg);
    },
    canApply,
    async apply(room) {
      if (!canApply(room)) throw new LegGone("These legs cannot hear each other on a node.");
      await project(room);
    },
    project,
    takesKeyEvents: async (legId) => takesKeyEvents(known(legId).session.state.farDescription),
    sendDigits: async (legId, digits) => {
      const leg = known(legId);
      return carried(leg, leg.session.sendDigits(digits));
    },
    carriesBrowsers: pool.answers,
    sessionOf(legId) {
      const leg = byId.get(legId);
      return leg ? sessionOf(leg) : null;
    },
    findSession(id) {
      const leg = [...legs].find(({ session }) => session.state.callId === id);
      return leg ? sessionOf(leg) : null;
    },
    async restore({ carrierLegId, browserLegId, session: state }, relays) {
      const node = pool.find(state.node);
      if (!node) throw new LegGone("The rtpengine that carried this leg does not answer.");
      const leg = newLeg(nodeSession(node, state));
      await carried(leg, leg.session.takeUp(relays));
      Object.assign(leg, { carrierLegId, browserLegId, bridged: true });
      legs.add(leg);
      for (const legId of [carrierLegId, browserLegId]) if (legId !== null) byId.set(legId, leg);
      return sessionOf(leg);
    },
    stats: statsOf,
    async close(legId) {
      const leg = byId.get(legId);
      if (!leg) return;
      byId.delete(legId);
      if (displaced.delete(legId)) return reportState(legId, "closed");
      if (legId === leg.carrierLegId) leg.carrierLegId = null;
      else {
        leg.browserLegId = null;
        reportState(legId, "closed");
      }
      // What the rtpengine has lost meanwhile is closed as well.
      await letGo(leg).catch(() => {});
    },
    onBrowserLegState: (listener) => void listeners.push(listener),
    // Taps and playback go through relay legs.
    onTapped: () => {},
    onPromptEnd: () => () => {},
    async shutDown() {
      clearInterval(watch);
      const idle = [...legs].filter(({ carrierLegId, session }) => carrierLegId === null && !session.hasRelays());
      await Promise.all(idle.map((leg) => leg.session.end().catch(() => {})));
      pool.close();
    },
  };
}
