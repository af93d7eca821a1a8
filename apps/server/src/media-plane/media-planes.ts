import type { MediaPlane } from "./media-plane.ts";
import type { RtpenginePlane } from "./rtpengine/sessions.ts";
import { createStandIns } from "./stand-ins.ts";
import type { WeriftMediaPlane } from "./werift-media-plane.ts";

/**
 * A browser's calls on `pooled`; what that cannot carry on `inProcess`: legs whose far end is the server itself (voicemail), calls
 * that begin without a browser, those whose far end is sealed, and a second call beside another. A leg of one plane meets one of
 * the other by way of its stand-in, where they belong to the same person's two calls.
 */
export function joinMediaPlanes(inProcess: WeriftMediaPlane, pooled: RtpenginePlane): MediaPlane {
  const owners = new Map<string, MediaPlane>();
  const carrierLegsHere = new Set<string>();
  const standIns = createStandIns(inProcess, pooled);
  // Also those whose owner has forgotten them: either answers that as the interface says.
  const of = (legId: string): MediaPlane => owners.get(legId) ?? inProcess;
  const own = <Opened extends { legId: string }>(plane: MediaPlane, opened: Opened): Opened => {
    owners.set(opened.legId, plane);
    return opened;
  };
  for (const plane of [inProcess, pooled])
    plane.onBrowserLegState(({ legId, state }) => {
      if (state === "closed") owners.delete(legId);
    });

  async function openHere(options: { browserLegId?: string }) {
    const opened = own(inProcess, await inProcess.openCarrierLeg(options));
    carrierLegsHere.add(opened.legId);
    return opened;
  }

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
    async openBrowserLeg(offer, options = {}) {
      const { carrierLegId, wantsKeys } = options;
      if (carrierLegId === undefined) {
        const plane = wantsKeys ? inProcess : pooled;
        return own(plane, await plane.openBrowserLeg(offer, options));
      }
      const next = standIns.hostOf(carrierLegId) ?? carrierLegId;
      return own(of(next), await of(next).openBrowserLeg(offer, { ...options, carrierLegId: next }));
    },
    restartBrowserLeg: (legId, offer) => of(legId).restartBrowserLeg(legId, offer),
    async openCarrierLeg(options = {}) {
      const { browserLegId } = options;
      if (browserLegId === undefined || of(browserLegId) === inProcess) return openHere(options);
      if (!standIns.areNeeded(browserLegId)) return own(pooled, await pooled.openCarrierLeg(options));
      const opened = await openHere(options);
      standIns.invite(browserLegId, opened.legId);
      return opened;
    },
    acceptCarrierAnswer: (legId, answer) => of(legId).acceptCarrierAnswer(legId, answer),
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
      await (standIn === null ? of(legId).sendDigits(legId, digits) : inProcess.sendDigits(standIn, digits));
    },
    setHeld: (legId, held) => both(legId, (plane, each) => plane.setHeld(each, held)),
    setMuted: (legId, muted) => both(legId, (plane, each) => plane.setMuted(each, muted)),
    setSilenced: (legId, silenced) => both(legId, (plane, each) => plane.setSilenced(each, silenced)),
    givesKeys: (legId) => of(legId).givesKeys(legId),
    play: (legId, muLaw) => of(legId).play(legId, muLaw),
    record: (legId) => of(legId).record(legId),
    remember: (legId) => (standIns.areFor(legId) ? null : of(legId).remember(legId)),
    async resume(remembered) {
      const resumed = await pooled.resume(remembered);
      for (const legId of Object.values(resumed)) if (legId !== null) owners.set(legId, pooled);
      return resumed;
    },
    async stats(legId) {
      const standIn = await standIns.find(legId);
      if (standIn !== null && (await inProcess.stats(standIn)) === null) return null;
      return of(legId).stats(legId);
    },
    async close(legId) {
      await standIns.close(legId, () => of(legId).close(legId));
      owners.delete(legId);
      carrierLegsHere.delete(legId);
    },
    onBrowserLegState(listener) {
      for (const plane of [inProcess, pooled]) plane.onBrowserLegState(listener);
    },
    onRecorded: (listener) => inProcess.onRecorded(listener),
    shutDown: async () => void (await Promise.all([inProcess.shutDown(), pooled.shutDown()])),
  };
}
