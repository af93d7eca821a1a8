import type { CarrierTransferEvent } from "@leadline/adapter-kit/carrier";
import { tickMs } from "@leadline/adapter-kit/rtp/ticker";

import type { Callee } from "./callees.ts";

/**
 * A callee that is transferred calls the other one, and reports how it goes. Ticked every 20 ms until the leg is over.
 */
export function startCalleeTransfer(to: Callee, onEvent: (event: CarrierTransferEvent) => void): { tick(): void } {
  let ticksLeft = to.ringMs / tickMs;
  let settled = false;
  if (to.ringMs > 0) onEvent({ type: "ringing" });
  return {
    tick() {
      if (settled || ticksLeft-- > 0) return;
      settled = true;
      onEvent(to.refuses ? { type: "refused", why: to.refuses } : { type: "taken" });
    },
  };
}
