import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { type BrowserLegState, LegGone, type MediaPlane, UnusableOffer } from "./media-plane.ts";
import type { FromWorker, MediaWork, MediaWorkerData, ToWorker } from "./messages.ts";
import type { PromptEnd } from "./room.ts";

/** A media plane that also carries another plane's relay legs. */
export interface WeriftMediaPlane extends MediaPlane {
  /** As in MediaWork. `colocateWith`: a leg that it shares a room with. */
  openRelayLeg(offer: string, options?: { colocateWith?: string }): ReturnType<MediaWork["openRelayLeg"]>;
  openCarrierLeg(
    options?: Parameters<MediaPlane["openCarrierLeg"]>[0] & Parameters<MediaWork["openCarrierLeg"]>[0],
  ): ReturnType<MediaPlane["openCarrierLeg"]>;
}

export interface WeriftMediaPlaneOptions {
  /**
   * The public address of a NAT in front of this machine, which forwards UDP to the same ports: browsers are offered it
   * too.
   */
  publicAddress?: string | null;
  log?: { warn(details: object, message: string): void };
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * The media plane in one worker thread, off the API's event loop. If the thread crashes, all its browser legs are
 * reported closed, pending work is rejected, and a new thread serves what follows.
 */
export async function createWeriftMediaPlane(options: WeriftMediaPlaneOptions = {}): Promise<WeriftMediaPlane> {
  const listeners: ((change: { legId: string; state: BrowserLegState }) => void)[] = [];
  const tapListeners: Parameters<MediaPlane["onTapped"]>[0][] = [];
  const promptListeners = new Set<Parameters<MediaPlane["onPromptEnd"]>[0]>();
  const browserLegIds = new Set<string>();
  /** What is being played, by the leg that hears it. */
  const prompts = new Map<string, string>();
  const waiting = new Map<number, Waiting>();
  let lastRequestId = 0;
  let shutting = false;
  let worker = start();

  function start(): Worker {
    const started = new Worker(new URL("worker/media-worker.ts", import.meta.url), {
      name: "media",
      workerData: { publicAddress: options.publicAddress ?? null } satisfies MediaWorkerData,
    });
    started.on("message", receive);
    started.on("error", (error) => options.log?.warn({ err: error }, "The media thread failed."));
    started.on("exit", () => {
      forgetAll();
      if (!shutting) worker = start();
    });
    return started;
  }

  function forgetAll(): void {
    const stranded = [...waiting.values()];
    waiting.clear();
    for (const { reject } of stranded) reject(new Error("The media thread ended before it had answered."));
    for (const legId of browserLegIds) reportState({ legId, state: "closed" });
    for (const [legId, prompt] of prompts) endPrompt({ legId, prompt, isWhole: false });
  }

  function endPrompt(end: PromptEnd): void {
    if (prompts.get(end.legId) === end.prompt) prompts.delete(end.legId);
    for (const listener of promptListeners) listener(end);
  }

  function reportState(change: { legId: string; state: BrowserLegState }): void {
    if (change.state === "closed") browserLegIds.delete(change.legId);
    else browserLegIds.add(change.legId);
    for (const listener of listeners) listener(change);
  }

  function receive(message: FromWorker): void {
    if (message.type === "browser-leg-state") return reportState(message);
    if (message.type === "ready") return;
    if (message.type === "tapped") {
      for (const listener of tapListeners) listener(message);
      return;
    }
    if (message.type === "prompt-end") return endPrompt(message);
    const request = waiting.get(message.requestId);
    waiting.delete(message.requestId);
    if (message.type === "done") return request?.resolve(message.result);
    const { error, message: text } = message;
    const Failure = { UnusableOffer, LegGone }[error] ?? Error;
    request?.reject(new Failure(text));
  }

  /** The worker runs the interface's method of that name, so the result is that method's. */
  function ask<Name extends keyof MediaWork>(
    name: Name,
    ...args: Parameters<MediaWork[Name]>
  ): ReturnType<MediaWork[Name]> {
    const requestId = ++lastRequestId;
    const result = new Promise<unknown>((resolve, reject) => {
      if (shutting) return reject(new Error("The media plane has been shut down."));
      waiting.set(requestId, { resolve, reject });
      worker.postMessage({ requestId, name, args } as ToWorker);
    });
    return result as ReturnType<MediaWork[Name]>;
  }

  // So that the first call doesn't wait for the thread to start.
  await once(worker, "message");

  return {
    openBrowserLeg: (offer) => ask("openBrowserLeg", offer),
    carriesBrowsers: () => true,
    restartBrowserLeg: (legId, offer) => ask("restartBrowserLeg", legId, offer),
    openRelayLeg: (offer) => ask("openRelayLeg", offer),
    openCarrierLeg: ({ telephoneEventType } = {}) =>
      ask("openCarrierLeg", telephoneEventType === undefined ? {} : { telephoneEventType }),
    acceptCarrierAnswer: (legId, answer) => ask("acceptCarrierAnswer", legId, answer),
    async apply(room) {
      for (const { legId, hears } of room.participants)
        for (const source of hears)
          if (typeof source !== "string" && "audio" in source) prompts.set(legId, source.play);
      await ask("apply", room);
    },
    takesKeyEvents: (carrierLegId) => ask("takesKeyEvents", carrierLegId),
    sendDigits: (carrierLegId, digits) => ask("sendDigits", carrierLegId, digits),
    snapshot: () => null,
    // Audio that this process carries ends with it.
    restore: async (snapshots) => snapshots.map(() => null),
    stats: (legId) => ask("stats", legId),
    close: (legId) => ask("close", legId),
    onBrowserLegState: (listener) => void listeners.push(listener),
    onTapped: (listener) => void tapListeners.push(listener),
    onPromptEnd(listener) {
      promptListeners.add(listener);
      return () => void promptListeners.delete(listener);
    },
    async shutDown() {
      shutting = true;
      await worker.terminate();
    },
  };
}
