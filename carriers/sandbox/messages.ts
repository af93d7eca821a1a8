import type { CarrierLegEvent } from "@leadline/adapter-kit/carrier";

/** What the carrier tells its thread of callees. `legId` is the carrier's own count. */
export type ToCallees = { type: "dial"; legId: number; to: string; offer: string } | { type: "hang-up"; legId: number };

export interface FromCallees {
  legId: number;
  event: CarrierLegEvent;
}
