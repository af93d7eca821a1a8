import type { MediaPlane } from "./media-plane.ts";
import { routeLegs } from "./route-legs.ts";
import type { RtpenginePlane } from "./rtpengine/sessions.ts";
import { createStandIns } from "./stand-ins.ts";
import type { WeriftMediaPlane } from "./werift-media-plane.ts";

/**
 * A browser's calls on `pooled`; what that cannot carry on `inProcess`: legs whose far end is the server itself (voicemail), calls
 * that begin without a browser, and a second call beside another. A leg of one plane meets one of the other by way of its
 * stand-in, where they belong to the same person's two calls.
 */
export function joinMediaPlanes(inProcess: WeriftMediaPlane, pooled: RtpenginePlane): MediaPlane {
  const carrierLegsHere = new Set<string>();
  const standIns = createStandIns(inProcess, pooled);
  const { plane, add, of } = routeLegs<MediaPlane>(inProcess, {
    browserLeg: ({ carrierLegId }, find) => (carrierLegId === undefined ? pooled : (find(carrierLegId) ?? inProcess)),
    carrierLeg: ({ browserLegId }, find) =>
      browserLegId === undefined || standIns.areNeeded(browserLegId) ? inProcess : (find(browserLegId) ?? inProcess),
    resumed: pooled,
  });
  add(pooled);

  /** The legs of this process that are or stand in for these. */
  const bring = (legIds: readonly string[]): Promise<string[]> =>
    legIds.some((legId) => of(legId) === pooled)
      ? standIns.bring(legIds, { guests: legIds.filter((legId) => carrierLegsHere.has(legId)) })
      : Promise.resolve([...legIds]);

  /** The pool's leg as well: it does the same once its stand-in has gone. */
  async function both(legId: string, change: (plane: MediaPlane, legId: string) => Promise<void>): Promise<void> {
    await change(of(legId), legId);
    const standIn = await standIns.find(legId);
    if (standIn !== null) await change(inProcess, standIn);
  }

  return {
    ...plane,
    carriesBrowsers: () => pooled.carriesBrowsers(),
    openBrowserLeg(offer, options = {}) {
      const { carrierLegId } = options;
      const host = carrierLegId === undefined ? null : standIns.hostOf(carrierLegId);
      return plane.openBrowserLeg(offer, host === null ? options : { ...options, carrierLegId: host });
    },
    async openCarrierLeg(options = {}) {
      const { browserLegId } = options;
      const meets = browserLegId !== undefined && standIns.areNeeded(browserLegId) ? browserLegId : null;
      const opened = await plane.openCarrierLeg(meets === null ? options : { ...options, ...standIns.placeFor(meets) });
      if (of(opened.legId) === inProcess) carrierLegsHere.add(opened.legId);
      if (meets !== null) standIns.invite(meets, opened.legId);
      return opened;
    },
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
    remember: (legId) => (standIns.areFor(legId) ? null : plane.remember(legId)),
    async stats(legId) {
      const standIn = await standIns.find(legId);
      if (standIn !== null && (await inProcess.stats(standIn)) === null) return null;
      return plane.stats(legId);
    },
    async close(legId) {
      await standIns.close(legId, () => plane.close(legId));
      carrierLegsHere.delete(legId);
    },
  };
}
