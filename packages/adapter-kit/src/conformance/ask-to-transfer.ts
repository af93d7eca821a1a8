import { setTimeout as sleep } from "node:timers/promises";

import type { CarrierLeg, CarrierTransferEvent } from "../carrier.ts";

/** Requests the transfer and records all of its events. */
export function askToTransfer(leg: CarrierLeg, to: string | CarrierLeg) {
  const events: CarrierTransferEvent[] = [];
  const kinds = (): string => events.map(({ type }) => type).join(" ");
  leg.transfer?.({ to, onEvent: (event) => void events.push(event) });
  return {
    kinds,
    /** The first event that isn't "ringing". */
    async settled(withinMs = 30_000): Promise<CarrierTransferEvent> {
      const lastMs = performance.now() + withinMs;
      for (;;) {
        const settling = events.find(({ type }) => type !== "ringing");
        if (settling) return settling;
        if (performance.now() > lastMs) throw new Error(`not settled within ${withinMs} ms; came: ${kinds()}`);
        await sleep(10);
      }
    },
  };
}
