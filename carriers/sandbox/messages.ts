import type { CarrierLegEvent, CarrierTransferEvent } from "@leadline/adapter-kit/carrier";

/** Messages from the carrier to its callee thread. `legId` is the carrier's own counter. */
export type ToCallees =
  | { type: "dial"; legId: number; to: string; offer: string }
  | { type: "transfer"; legId: number; to: string }
  /** The callee replaces us in the call with the other one. */
  | { type: "replace-us"; legId: number; otherLegId: number }
  | { type: "hang-up"; legId: number };

export type FromCallees = { legId: number; event: CarrierLegEvent } | { legId: number; transfer: CarrierTransferEvent };
