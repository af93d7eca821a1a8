import { randomUUID } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";

import { raiseThreadPriority } from "@leadline/adapter-kit/rtp/raise-thread-priority";
import { startTicker, tickMs } from "@leadline/adapter-kit/rtp/ticker";
import { RTCDtlsTransport } from "werift";

import { UnusableOffer } from "../media-plane.ts";
import type { FromWorker, MediaWork, MediaWorkerData, ToWorker } from "../messages.ts";
import { type BrowserLeg, openBrowserLeg } from "./browser-leg.ts";
import { type CarrierLeg, openCarrierLeg } from "./carrier-leg.ts";
import { makeHoldTune } from "./hold-tune.ts";
import { createMixtures } from "./mixtures.ts";
import { openPlainBrowserLeg } from "./plain-browser-leg.ts";

const livenessTicks = 500 / tickMs;

raiseThreadPriority();
/** One key pair for every browser, made once: making one for each call costs as much as the handshake. */
const certificate = await RTCDtlsTransport.SetupCertificate();
const holdTune = makeHoldTune();
/** As werift-media-plane.ts starts this thread. */
const { publicAddress } = workerData as MediaWorkerData;
const browsers = new Map<string, BrowserLeg>();
const carriers = new Map<string, CarrierLeg>();
const mixtures = createMixtures();

function tell(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function known<Leg>(legs: Map<string, Leg>, legId: string): Leg {
  const leg = legs.get(legId);
  if (!leg) throw new Error("This leg is closed.");
  return leg;
}

function forgetBrowser(legId: string): void {
  const leg = browsers.get(legId);
  browsers.delete(legId);
  mixtures.leave(leg);
  if (leg) for (const carrier of carriers.values()) carrier.unbridge(leg);
}

const work: MediaWork = {
  async openBrowserLeg(offer) {
    const legId = randomUUID();
    const leg = await openBrowserLeg({
      offer,
      certificate,
      publicAddress,
      onState(state) {
        tell({ type: "browser-leg-state", legId, state });
        if (state === "closed") forgetBrowser(legId);
      },
    });
    browsers.set(legId, leg);
    return { legId, answer: leg.answer() };
  },
  async openPlainBrowserLeg(offer) {
    const legId = randomUUID();
    const leg = await openPlainBrowserLeg(offer, () => forgetBrowser(legId));
    browsers.set(legId, leg);
    return { legId, answer: leg.answer() };
  },
  restartBrowserLeg: async (legId, offer) => ({ answer: await known(browsers, legId).restart(offer) }),
  async openCarrierLeg(options) {
    const legId = randomUUID();
    const leg = await openCarrierLeg({ holdTune, ...options });
    carriers.set(legId, leg);
    return { legId, offer: leg.offer };
  },
  acceptCarrierAnswer: async (legId, answer) => known(carriers, legId).acceptAnswer(answer),
  async bridge(browserLegId, carrierLegId) {
    const browser = known(browsers, browserLegId);
    const carrier = known(carriers, carrierLegId);
    for (const leg of [browser, carrier]) mixtures.leave(leg);
    for (const other of carriers.values()) if (other !== carrier) other.unbridge(browser);
    carrier.bridge(browser);
  },
  async join(legIds) {
    const legs = legIds.map((legId) => browsers.get(legId) ?? known(carriers, legId));
    for (const leg of legs) if (!("bridge" in leg)) for (const carrier of carriers.values()) carrier.unbridge(leg);
    mixtures.join(legs);
  },
  takesKeyEvents: async (carrierLegId) => known(carriers, carrierLegId).takesKeyEvents(),
  sendDigits: async (carrierLegId, digits) => known(carriers, carrierLegId).sendDigits(digits),
  setHeld: async (carrierLegId, held) => known(carriers, carrierLegId).setHeld(held),
  setMuted: async (carrierLegId, muted) => known(carriers, carrierLegId).setMuted(muted),
  setSilenced: async (carrierLegId, silenced) => known(carriers, carrierLegId).setSilenced(silenced),
  play: async (legId, muLaw) => known(carriers, legId).play(Buffer.from(muLaw)),
  record: async (legId) => known(carriers, legId).record((samples) => tell({ type: "recorded", legId, samples })),
  stats: async (legId) => (browsers.get(legId) ?? carriers.get(legId))?.stats() ?? null,
  async close(legId) {
    mixtures.leave(carriers.get(legId));
    browsers.get(legId)?.close();
    carriers.get(legId)?.close();
    carriers.delete(legId);
  },
};

/** Each request carries the arguments of the method it names (ToWorker), which the compiler cannot follow through a union. */
function carryOut({ name, args }: ToWorker): Promise<unknown> {
  const method = work[name] as (...given: typeof args) => Promise<unknown>;
  return method(...args);
}

parentPort?.on("message", (request: ToWorker) => {
  const { requestId } = request;
  carryOut(request).then(
    (result) => tell({ type: "done", requestId, result }),
    (error: Error) =>
      tell({ type: "failed", requestId, unusableOffer: error instanceof UnusableOffer, message: error.message }),
  );
});

let ticks = 0;
startTicker(() => {
  mixtures.tick();
  for (const carrier of carriers.values()) carrier.tick();
  if (++ticks % livenessTicks === 0) for (const browser of browsers.values()) browser.checkLiveness();
});

tell({ type: "ready" });
