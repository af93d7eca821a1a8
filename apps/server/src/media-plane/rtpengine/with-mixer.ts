import type { LegPlane, MediaPlane, RestoredLeg } from "../media-plane.ts";
import { renameLegs, type Room } from "../room.ts";
import { routeLegs } from "../route-legs.ts";
import type { WeriftMediaPlane } from "../werift-media-plane.ts";
import { createRelayLegs } from "./relay-legs.ts";
import { type LocalLegSnapshot, restoreLegs } from "./restore-legs.ts";
import type { RtpenginePlane, Session } from "./sessions.ts";

/**
 * Carries a browser's calls on `pooled`, and on `mixer` what that can't carry: legs whose far end is the server itself
 * (voicemail), calls that start without a browser, and a second line. A room that the pool can't bring about uses relay
 * legs.
 */
export function withMixer(mixer: WeriftMediaPlane, pooled: RtpenginePlane): MediaPlane {
  /** The latest description of each far end in this process; null until it has sent one. */
  const carrierLegsHere = new Map<string, string | null>();
  /** The latest room of each leg of the pool. */
  const rooms = new Map<string, Room>();
  const relays = createRelayLegs(mixer, pooled);
  const { plane, add, adopt, of } = routeLegs<LegPlane>(mixer, {
    browserLeg: ({ carrierLegId }, find) => (carrierLegId === undefined ? pooled : (find(carrierLegId) ?? mixer)),
    carrierLeg: ({ browserLegId }, find) =>
      browserLegId === undefined || relays.areNeeded(browserLegId) ? mixer : (find(browserLegId) ?? mixer),
  });
  add(pooled);
  plane.onBrowserLegState(({ legId, state }) => state === "closed" && rooms.delete(legId));
  const isPooled = (legId: string): boolean => of(legId) === pooled;

  async function apply(room: Room): Promise<void> {
    const legIds = room.participants.map(({ legId }) => legId);
    const onNodes = legIds.filter(isPooled);
    if (onNodes.length === 0) return mixer.apply(room);
    for (const legId of onNodes) rooms.set(legId, room);
    await pooled.project({ participants: room.participants.filter(({ legId }) => isPooled(legId)) });
    const areRelayed = (await Promise.all(onNodes.map(relays.find))).some((legId) => legId !== null);
    if (!areRelayed && pooled.canApply(room)) return;
    await relays.openRelays(legIds, { localLegs: legIds.filter((legId) => carrierLegsHere.has(legId)) });
    await applyRelayed(room);
  }

  /** A far end that has not described itself has no relay leg yet. */
  async function applyRelayed(room: Room): Promise<void> {
    const names = new Map<string, string | null>();
    for (const { legId } of room.participants) names.set(legId, isPooled(legId) ? await relays.find(legId) : legId);
    await mixer.apply(renameLegs(room, (legId) => names.get(legId) ?? null));
  }

  /** `joins`: a leg of the session whose room it joins. */
  async function openCarrierLeg(options: NonNullable<Parameters<LegPlane["openCarrierLeg"]>[0]>, joins: string | null) {
    const opened = await plane.openCarrierLeg(joins === null ? options : { ...options, ...relays.placeFor(joins) });
    if (of(opened.legId) === mixer) carrierLegsHere.set(opened.legId, null);
    if (joins !== null) relays.add(joins, opened.legId);
    return opened;
  }

  async function acceptCarrierAnswer(legId: string, answer: string): Promise<void> {
    const before = await relays.find(legId);
    await plane.acceptCarrierAnswer(legId, answer);
    if (carrierLegsHere.has(legId)) carrierLegsHere.set(legId, answer);
    const room = rooms.get(legId);
    // If another leg of its room is gone by now, another room follows.
    if (room && before === null && (await relays.find(legId)) !== null) await applyRelayed(room).catch(() => {});
  }

  async function openLocalLeg(answer: string, session: Session | null): Promise<RestoredLeg> {
    const joins = session && (session.browserLegId() ?? session.carrierLegId());
    const { legId: carrierLegId, offer } = await openCarrierLeg({}, joins);
    await acceptCarrierAnswer(carrierLegId, answer);
    return { carrierLegId, browserLegId: session?.browserLegId() ?? null, offer };
  }

  async function close(legId: string): Promise<void> {
    await relays.close(legId, () => plane.close(legId));
    carrierLegsHere.delete(legId);
    rooms.delete(legId);
  }

  return {
    ...plane,
    carriesBrowsers: () => pooled.carriesBrowsers(),
    openBrowserLeg(offer, options = {}) {
      const { carrierLegId, ...others } = options;
      const session = carrierLegId === undefined ? null : relays.sessionOfLocalLeg(carrierLegId);
      const sessionLegId = session?.carrierLegId() ?? null;
      // Without one, the legs it shares a room with move to this browser's session once they are bridged.
      if (session && sessionLegId === null && pooled.carriesBrowsers()) return plane.openBrowserLeg(offer, others);
      return plane.openBrowserLeg(offer, sessionLegId === null ? options : { ...options, carrierLegId: sessionLegId });
    },
    openCarrierLeg(options = {}) {
      const { browserLegId } = options;
      return openCarrierLeg(
        options,
        browserLegId !== undefined && relays.areNeeded(browserLegId) ? browserLegId : null,
      );
    },
    acceptCarrierAnswer,
    apply,
    async sendDigits(legId, digits) {
      const relay = await relays.find(legId);
      await (relay === null ? plane.sendDigits(legId, digits) : mixer.sendDigits(relay, digits));
    },
    snapshot(legId) {
      const session = relays.sessionOfLocalLeg(legId);
      if (!session) return of(legId) === pooled ? (pooled.sessionOf(legId)?.snapshot() ?? null) : null;
      const [answer, beside] = [carrierLegsHere.get(legId), session.snapshot()];
      if (answer == null || !beside) return null;
      return { answer, beside } satisfies LocalLegSnapshot;
    },
    restore: (snapshots) =>
      restoreLegs(snapshots, {
        find: pooled.findSession,
        async restore(legs) {
          const session = await relays.restore(legs);
          adopt(pooled, [session.browserLegId(), session.carrierLegId()]);
          return session;
        },
        openLocalLeg,
        close,
      }),
    async stats(legId) {
      const relay = await relays.find(legId);
      if (relay !== null && (await mixer.stats(relay)) === null) return null;
      return plane.stats(legId);
    },
    close,
  };
}
