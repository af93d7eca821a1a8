import { Worker } from "node:worker_threads";

import type {
  Carrier,
  CarrierHangUpCause,
  CarrierLeg,
  CarrierLegEvent,
  CarrierModule,
  CarrierTransferEvent,
} from "@leadline/adapter-kit/carrier";

import type { FromCallees, ToCallees } from "./messages.ts";
import { openNumbers } from "./numbers/open-numbers.ts";
import { madeUpRates } from "./made-up-rates.ts";
import { settings } from "./settings.ts";

const carrierClosed: CarrierHangUpCause = { reason: "network-failure", sip: 503, q850: 38 };

function openSandbox(): Carrier {
  const listeners = new Map<number, (event: CarrierLegEvent) => void>();
  const transferListeners = new Map<number, (event: CarrierTransferEvent) => void>();
  const legIds = new WeakMap<CarrierLeg, number>();
  let lastLegId = 0;
  let worker: Worker | null = null;

  function startWorker(): Worker {
    const started = new Worker(new URL("callees-worker.ts", import.meta.url), { name: "callees" });
    started.on("message", (told: FromCallees) => {
      const { legId } = told;
      if ("transfer" in told) return void transferListeners.get(legId)?.(told.transfer);
      const listener = listeners.get(legId);
      if (told.event.type === "ended") forget(legId);
      listener?.(told.event);
    });
    // An error is followed by the exit event, which ends every live call; the next call starts a new thread.
    started.on("error", () => {});
    started.on("exit", () => {
      if (worker !== started) return;
      worker = null;
      endAll();
    });
    return started;
  }

  /** Returns whether it existed. */
  function forget(legId: number): boolean {
    transferListeners.delete(legId);
    return listeners.delete(legId);
  }

  function endAll(): void {
    const live = [...listeners.values()];
    listeners.clear();
    transferListeners.clear();
    for (const listener of live) listener({ type: "ended", cause: carrierClosed });
  }

  function post(message: ToCallees): void {
    worker ??= startWorker();
    worker.postMessage(message);
  }

  return {
    dial({ to, offer, onEvent }) {
      const legId = ++lastLegId;
      listeners.set(legId, onEvent);
      post({ type: "dial", legId, to, offer });
      const leg: CarrierLeg = {
        hangUp() {
          if (forget(legId)) post({ type: "hang-up", legId });
          return Promise.resolve();
        },
        setHold: () => Promise.resolve(),
        transfer({ to: wanted, onEvent: onTransfer }) {
          transferListeners.set(legId, onTransfer);
          if (typeof wanted === "string") return post({ type: "transfer", legId, to: wanted });
          const otherLegId = legIds.get(wanted);
          if (otherLegId !== undefined) return post({ type: "replace-us", legId, otherLegId });
          onTransfer({ type: "refused", why: { reason: "not-supported", sip: null } });
        },
      };
      legIds.set(leg, legId);
      return Promise.resolve(leg);
    },
    numbers: openNumbers(),
    async close() {
      const last = worker;
      worker = null;
      endAll();
      await last?.terminate();
    },
  };
}

/** Simulated callees on this machine, each known by its number (callees.ts), with real RTP. It sells numbers too. */
export const carrier: CarrierModule<typeof settings> = {
  id: "sandbox",
  name: "Sandbox",
  capabilities: { hold: true, transfer: true, inbound: false, digits: "media", numbers: true },
  settings,
  madeUpRates,
  open: () => Promise.resolve(openSandbox()),
};
