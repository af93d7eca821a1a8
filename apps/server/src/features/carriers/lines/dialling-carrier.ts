import type { Carrier, CarrierLeg, DialRequest } from "@leadline/adapter-kit/carrier";
import type { Departure } from "./departures.ts";

type Transfer = Parameters<NonNullable<CarrierLeg["transfer"]>>[0];

/** A leg whose far end is transferred to a number only with a departure, because the carrier then calls that number. */
export interface DiallingLeg extends Omit<CarrierLeg, "transfer"> {
  transfer?(request: (Transfer & { to: CarrierLeg }) | (Transfer & { to: string; departure: Departure })): void;
}

/** A carrier that dials only with a departure. */
export interface DiallingCarrier extends Omit<Carrier, "dial" | "resume"> {
  dial(request: DialRequest & { departure: Departure }): Promise<DiallingLeg>;
  resume?(request: Parameters<NonNullable<Carrier["resume"]>>[0]): Promise<DiallingLeg>;
}
