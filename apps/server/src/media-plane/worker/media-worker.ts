import { randomUUID } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";

import { raiseThreadPriority } from "@leadline/adapter-kit/rtp/raise-thread-priority";
import { startTicker, tickMs } from "@leadline/adapter-kit/rtp/ticker";
import { RTCDtlsTransport } from "werift";

import { LegGone } from "../media-plane.ts";
import type { FromWorker, MediaWork, MediaWorkerData, ToWorker } from "../messages.ts";
import { type BrowserLeg, openBrowserLeg } from "./browser-leg.ts";
import { type CarrierLeg, openCarrierLeg } from "./carrier-leg.ts";
import { makeHoldTune } from "./hold-music.ts";
import { openRelayLeg } from "./relay-leg.ts";
import { createRoomAudio } from "./room-audio.ts";

const livenessTicks = 500 / tickMs;

raiseThreadPriority();
/** One key pair for every browser, created once: creating one takes as long as the handshake. */
const certificate = await RTCDtlsTransport.SetupCertificate();
/** Set by werift-media-plane.ts when it starts this thread. */
const { publicAddress } = workerData as MediaWorkerData;
const browsers = new Map<string, BrowserLeg>();
const carriers = new Map<string, CarrierLeg>();
const audio = createRoomAudio({
  legOf: (legId) => browsers.get(legId) ?? known(carriers, legId),
  music: makeHoldTune(),
  onPromptEnd: (end) => post({ type: "prompt-end", ...end }),
  onTapped: (tapped) => post({ type: "tapped", ...tapped }),
});

function post(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function known<Leg>(legs: Map<string, Leg>, legId: string): Leg {
  const leg = legs.get(legId);
  if (!leg) throw new LegGone("This leg is closed.");
  return leg;
}

function forgetBrowser(legId: string): void {
  const leg = browsers.get(legId);
  browsers.delete(legId);
  audio.forget(leg);
}

const work: MediaWork = {
  async openBrowserLeg(offer) {
    const legId = randomUUID();
    const leg = await openBrowserLeg({
      offer,
      certificate,
      publicAddress,
      onState(state) {
        post({ type: "browser-leg-state", legId, state });
        if (state === "closed") forgetBrowser(legId);
      },
    });
    browsers.set(legId, leg);
    ticker.start();
    return { legId, answer: leg.answer() };
  },
  async openRelayLeg(offer) {
    const legId = randomUUID();
    const leg = await openRelayLeg(offer, () => forgetBrowser(legId));
    browsers.set(legId, leg);
    ticker.start();
    return { legId, answer: leg.answer() };
  },
  restartBrowserLeg: async (legId, offer) => ({ answer: await known(browsers, legId).restart(offer) }),
  async openCarrierLeg(options) {
    const legId = randomUUID();
    const leg = await openCarrierLeg(options);
    carriers.set(legId, leg);
    ticker.start();
    return { legId, offer: leg.offer };
  },
  acceptCarrierAnswer: async (legId, answer) => known(carriers, legId).acceptAnswer(answer),
  apply: async (room) => audio.apply(room),
  takesKeyEvents: async (carrierLegId) => known(carriers, carrierLegId).takesKeyEvents(),
  sendDigits: async (carrierLegId, digits) => known(carriers, carrierLegId).sendDigits(digits),
  stats: async (legId) => (browsers.get(legId) ?? carriers.get(legId))?.stats() ?? null,
  async close(legId) {
    audio.forget(carriers.get(legId));
    browsers.get(legId)?.close();
    carriers.get(legId)?.close();
    carriers.delete(legId);
  },
};

/**
 * Each request carries the arguments of the method that it names (ToWorker), which the compiler can't follow through a
 * union.
 */
function carryOut({ name, args }: ToWorker): Promise<unknown> {
  const method = work[name] as (...given: typeof args) => Promise<unknown>;
  return method(...args);
}

parentPort?.on("message", (request: ToWorker) => {
  const { requestId } = request;
  carryOut(request).then(
    (result) => post({ type: "done", requestId, result }),
    (error: Error) => post({ type: "failed", requestId, error: error.name, message: error.message }),
  );
});

let ticks = 0;
const ticker = startTicker(() => {
  if (browsers.size === 0 && carriers.size === 0) return void ticker.stop();
  audio.tick();
  for (const carrier of carriers.values()) carrier.tick();
  if (++ticks % livenessTicks === 0) for (const browser of browsers.values()) browser.checkLiveness();
});

post({ type: "ready" });
