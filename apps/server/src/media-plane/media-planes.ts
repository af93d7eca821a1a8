import type { LegPlane, MediaPlane, ResumedLeg } from "./media-plane.ts";
import { type RememberedGuest, resumeLegs } from "./resume-legs.ts";
import { routeLegs } from "./route-legs.ts";
import type { RtpenginePlane, Session } from "./rtpengine/sessions.ts";
import { createStandIns } from "./stand-ins.ts";
import type { WeriftMediaPlane } from "./werift-media-plane.ts";

/**
 * A browser's calls on `pooled`; what that cannot carry on `inProcess`: legs whose far end is the server itself (voicemail), calls
 * that begin without a browser, and a second call beside another. A leg of one plane meets one of the other by way of its
 * stand-in, where they belong to the same person's two calls.
 */
export function joinMediaPlanes(inProcess: WeriftMediaPlane, pooled: RtpenginePlane): MediaPlane {
  /** What the far ends of carrier legs of this process said last; null of those that are yet to say something. */
  const carrierLegsHere = new Map<string, string | null>();
  const standIns = createStandIns(inProcess, pooled);
  const { plane, add, adopt, of } = routeLegs<LegPlane>(inProcess, {
    browserLeg: ({ carrierLegId }, find) => (carrierLegId === undefined ? pooled : (find(carrierLegId) ?? inProcess)),
    carrierLeg: ({ browserLegId }, find) =>
      browserLegId === undefined || standIns.areNeeded(browserLegId) ? inProcess : (find(browserLegId) ?? inProcess),
  });
  add(pooled);

  /** The legs of this process that are or stand in for these. */
  const bring = (legIds: readonly string[]): Promise<string[]> =>
    legIds.some((legId) => of(legId) === pooled)
      ? standIns.bring(legIds, { guests: legIds.filter((legId) => carrierLegsHere.has(legId)) })
      : Promise.resolve([...legIds]);

  /** The pool's leg as well: it does the same once its stand-in has gone. */
  async function both(legId: string, change: (plane: LegPlane, legId: string) => Promise<void>): Promise<void> {
    await change(of(legId), legId);
    const standIn = await standIns.find(legId);
    if (standIn !== null) await change(inProcess, standIn);
  }

  /** `meets`: a leg of the session whose legs it is a guest of. */
  async function openCarrierLeg(options: NonNullable<Parameters<LegPlane["openCarrierLeg"]>[0]>, meets: string | null) {
    const opened = await plane.openCarrierLeg(meets === null ? options : { ...options, ...standIns.placeFor(meets) });
    if (of(opened.legId) === inProcess) carrierLegsHere.set(opened.legId, null);
    if (meets !== null) standIns.invite(meets, opened.legId);
    return opened;
  }

  async function acceptCarrierAnswer(legId: string, answer: string): Promise<void> {
    await plane.acceptCarrierAnswer(legId, answer);
    if (carrierLegsHere.has(legId)) carrierLegsHere.set(legId, answer);
  }

  async function openGuest(answer: string, session: Session | null): Promise<ResumedLeg> {
    const meets = session && (session.browserLegId() ?? session.carrierLegId());
    const { legId: carrierLegId, offer } = await openCarrierLeg({}, meets);
    await acceptCarrierAnswer(carrierLegId, answer);
    return { carrierLegId, browserLegId: session?.browserLegId() ?? null, offer };
  }

  async function close(legId: string): Promise<void> {
    await standIns.close(legId, () => plane.close(legId));
    carrierLegsHere.delete(legId);
  }

  return {
    ...plane,
    carriesBrowsers: () => pooled.carriesBrowsers(),
    openBrowserLeg(offer, options = {}) {
      const { carrierLegId, ...others } = options;
      const session = carrierLegId === undefined ? null : standIns.sessionOfGuest(carrierLegId);
      const host = session?.carrierLegId() ?? null;
      // Without a host, whom it met moves to the session of this browser's once they are bridged.
      if (session && host === null && pooled.carriesBrowsers()) return plane.openBrowserLeg(offer, others);
      return plane.openBrowserLeg(offer, host === null ? options : { ...options, carrierLegId: host });
    },
    openCarrierLeg(options = {}) {
      const { browserLegId } = options;
      return openCarrierLeg(
        options,
        browserLegId !== undefined && standIns.areNeeded(browserLegId) ? browserLegId : null,
      );
    },
    acceptCarrierAnswer,
    async bridge(browserLegId, carrierLegId) {
      const areTheirOwn = [browserLegId, carrierLegId].every((legId) => of(legId) === pooled);
      if (areTheirOwn && (await standIns.find(carrierLegId)) === null) return pooled.bridge(browserLegId, carrierLegId);
      const [browser = "", carrier = ""] = await bring([browserLegId, carrierLegId]);
      await inProcess.bridge(browser, carrier);
    },
    async join(legIds) {
      await inProcess.join(await bring(legIds));
    },
    async sendDigits(legId, digits) {
      const standIn = await standIns.find(legId);
      await (standIn === null ? plane.sendDigits(legId, digits) : inProcess.sendDigits(standIn, digits));
    },
    setHeld: (legId, held) => both(legId, (each, eachId) => each.setHeld(eachId, held)),
    setMuted: (legId, muted) => both(legId, (each, eachId) => each.setMuted(eachId, muted)),
    setSilenced: (legId, silenced) => both(legId, (each, eachId) => each.setSilenced(eachId, silenced)),
    remember(legId) {
      const session = standIns.sessionOfGuest(legId);
      if (!session) return of(legId) === pooled ? (pooled.sessionOf(legId)?.remember() ?? null) : null;
      const [answer, beside] = [carrierLegsHere.get(legId), session.remember()];
      if (answer == null || !beside) return null;
      return { answer, beside } satisfies RememberedGuest;
    },
    resume: (remembered) =>
      resumeLegs(remembered, {
        find: pooled.findSession,
        async takeUp(legs) {
          const session = await standIns.takeUp(legs);
          adopt(pooled, [session.browserLegId(), session.carrierLegId()]);
          return session;
        },
        openGuest,
        close,
      }),
    async stats(legId) {
      const standIn = await standIns.find(legId);
      if (standIn !== null && (await inProcess.stats(standIn)) === null) return null;
      return plane.stats(legId);
    },
    close,
  };
}
