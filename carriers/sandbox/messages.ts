import type { CarrierLegEvent, CarrierTransferEvent } from "@leadline/adapter-kit/carrier";

/** What the carrier tells its thread of callees. `legId` is the carrier's own count. */
export type ToCallees =
  | { type: "dial"; legId: number; to: string; offer: string }
  | { type: "transfer"; legId: number; to: string }
  /** The callee takes our place with the other one. */
  | { type: "replace-us"; legId: number; otherLegId: number }
  | { type: "hang-up"; legId: number };

export type FromCallees = { legId: number; event: CarrierLegEvent } | { legId: number; transfer: CarrierTransferEvent };
