import { LegGone, type MediaPlane } from "./media-plane.ts";

/**
 * A browser's calls on `pooled`; what that cannot carry on `inProcess`: legs whose far end is the server itself (voicemail), calls
 * that begin without a browser, and those whose far end is sealed. Legs of one plane never meet those of the other.
 */
export function joinMediaPlanes(inProcess: MediaPlane, pooled: MediaPlane): MediaPlane {
  const owners = new Map<string, MediaPlane>();
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

  return {
    async openBrowserLeg(offer, options = {}) {
      const { carrierLegId, wantsKeys } = options;
      const plane = carrierLegId !== undefined ? of(carrierLegId) : wantsKeys ? inProcess : pooled;
      return own(plane, await plane.openBrowserLeg(offer, options));
    },
    carriesBrowsers: () => pooled.carriesBrowsers(),
    restartBrowserLeg: (legId, offer) => of(legId).restartBrowserLeg(legId, offer),
    async openCarrierLeg(options = {}) {
      const plane = options.browserLegId === undefined ? inProcess : of(options.browserLegId);
      return own(plane, await plane.openCarrierLeg(options));
    },
    acceptCarrierAnswer: (legId, answer) => of(legId).acceptCarrierAnswer(legId, answer),
    async bridge(browserLegId, carrierLegId) {
      if (of(browserLegId) !== of(carrierLegId)) throw new LegGone("This browser leg is on another media plane.");
      await of(carrierLegId).bridge(browserLegId, carrierLegId);
    },
    unbridge: (legId) => of(legId).unbridge(legId),
    sendDigits: (legId, digits) => of(legId).sendDigits(legId, digits),
    setHeld: (legId, held) => of(legId).setHeld(legId, held),
    setMuted: (legId, muted) => of(legId).setMuted(legId, muted),
    join: async ([first = "", ...others]) => {
      if (others.some((legId) => of(legId) !== of(first))) throw new LegGone("These legs are on two media planes.");
      await of(first).join([first, ...others]);
    },
    givesKeys: (legId) => of(legId).givesKeys(legId),
    canJoin: (legId) => of(legId).canJoin(legId),
    setSilenced: (legId, silenced) => of(legId).setSilenced(legId, silenced),
    play: (legId, muLaw) => of(legId).play(legId, muLaw),
    record: (legId) => of(legId).record(legId),
    remember: (legId) => of(legId).remember(legId),
    async resume(remembered) {
      const resumed = await pooled.resume(remembered);
      for (const legId of Object.values(resumed)) if (legId !== null) owners.set(legId, pooled);
      return resumed;
    },
    stats: (legId) => of(legId).stats(legId),
    async close(legId) {
      await of(legId).close(legId);
      owners.delete(legId);
    },
    onBrowserLegState(listener) {
      for (const plane of [inProcess, pooled]) plane.onBrowserLegState(listener);
    },
    onRecorded: (listener) => inProcess.onRecorded(listener),
    shutDown: async () => void (await Promise.all([inProcess.shutDown(), pooled.shutDown()])),
  };
}
