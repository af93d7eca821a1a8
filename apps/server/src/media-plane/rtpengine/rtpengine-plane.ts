import { LegGone, NoMediaServer, UnusableOffer } from "../media-plane.ts";
import { expectFarEnd, type Leg, newLeg, newState, unheard } from "./legs.ts";
import { type MediaNode, type NodeAddress, openMediaPool } from "./media-pool.ts";
import { NodeSilent } from "./ng-client.ts";
import { isFull, refuseOffer } from "./node-refusals.ts";
import { nodeSession } from "./node-session.ts";
import { createOpenLegs, type OpenLegs } from "./open-legs.ts";
import { takesKeyEvents } from "./send-digits.ts";
import { sessionRooms } from "./session-rooms.ts";
import type { RtpenginePlane, Session } from "./sessions.ts";
import { watchLegs } from "./watch-legs.ts";

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
  const legs = createOpenLegs(log);
  const { known, carried } = legs;
  const pool = await openMediaPool(addresses, { log, onAway: legs.loseNode });
  const watch = watchLegs(legs);
  const { canApply, project } = sessionRooms(legs);

  /** Frees the side that has left; a session with neither side is over. */
  async function release(leg: Leg): Promise<void> {
    if (leg.carrierLegId !== null) return watch.noticeAbsence(leg);
    if (leg.browserLegId !== null) return carried(leg, leg.session.leaveFarEnd());
    legs.remove(leg);
    await leg.session.end();
  }

  const cannot = (): Promise<never> =>
    Promise.reject(new Error("An rtpengine neither mixes, plays nor records for us."));

  return {
    async openBrowserLeg(offer, { carrierLegId } = {}) {
      const there = carrierLegId === undefined ? null : known(carrierLegId);
      const { leg, answer } = there
        ? { leg: there, answer: await takeOver(legs, there, offer) }
        : await openOnSomeNode(pool, offer);
      legs.add(leg);
      const legId = legs.name(leg, "browserLegId");
      legs.reportState(legId, "connecting");
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
        await watch.look(leg);
      }
      if (!isFree()) throw new LegGone("This browser leg has a carrier leg already.");
      return { legId: legs.name(leg, "carrierLegId"), offer: await leg.session.offerToFarEnd() };
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
      const leg = legs.find(legId);
      return leg ? sessionOf(legs, leg) : null;
    },
    findSession(id) {
      const leg = [...legs.all()].find(({ session }) => session.state.callId === id);
      return leg ? sessionOf(legs, leg) : null;
    },
    async restore({ carrierLegId, browserLegId, session: state }, relays) {
      const node = pool.find(state.node);
      if (!node) throw new LegGone("The rtpengine that carried this leg does not answer.");
      const leg = newLeg(nodeSession(node, state));
      await carried(leg, leg.session.takeUp(relays));
      Object.assign(leg, { carrierLegId, browserLegId, bridged: true });
      legs.add(leg);
      for (const legId of [carrierLegId, browserLegId]) if (legId !== null) legs.identify(legId, leg);
      return sessionOf(legs, leg);
    },
    stats: watch.stats,
    async close(legId) {
      const leg = legs.find(legId);
      if (!leg) return;
      legs.unname(legId);
      if (legs.forgetDisplaced(legId)) return;
      if (legId === leg.carrierLegId) leg.carrierLegId = null;
      else {
        leg.browserLegId = null;
        legs.reportState(legId, "closed");
      }
      // What the rtpengine has lost meanwhile is closed as well.
      await release(leg).catch(() => {});
    },
    onBrowserLegState: legs.onState,
    // Taps and playback go through relay legs.
    onTapped: () => {},
    onPromptEnd: () => () => {},
    async shutDown() {
      watch.stop();
      const idle = [...legs.all()].filter(({ carrierLegId, session }) => carrierLegId === null && !session.hasRelays());
      await Promise.all(idle.map((leg) => leg.session.end().catch(() => {})));
      pool.close();
    },
  };
}

async function openOnSomeNode(
  pool: Awaited<ReturnType<typeof openMediaPool>>,
  offer: string,
): Promise<{ leg: Leg; answer: string }> {
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
async function takeOver(legs: OpenLegs, leg: Leg, offer: string): Promise<string> {
  const answer = await legs.carried(leg, leg.session.takeOver(offer)).catch(refuseOffer);
  legs.displace(leg);
  // A relay leg already hears the next one.
  Object.assign(leg, { bridged: leg.session.hasRelays(), state: "connecting", near: unheard() });
  return answer;
}

function sessionOf(legs: OpenLegs, leg: Leg): Session {
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
    openRelays: (relays) => legs.carried(leg, session.openRelays(relays)),
    dismissRelays: () => legs.carried(leg, session.dismissRelays()),
  };
}
