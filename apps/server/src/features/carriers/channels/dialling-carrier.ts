import type { Carrier, CarrierLeg, DialRequest } from "@leadline/adapter-kit/carrier";
import type { DialPermit } from "./dial-permits.ts";

type Transfer = Parameters<NonNullable<CarrierLeg["transfer"]>>[0];

/** A leg whose far end is transferred to a number only with a permit, because the carrier then calls that number. */
export interface DiallingLeg extends Omit<CarrierLeg, "transfer"> {
  transfer?(request: (Transfer & { to: CarrierLeg }) | (Transfer & { to: string; permit: DialPermit })): void;
}

/** A carrier that dials only with a permit. */
export interface DiallingCarrier extends Omit<Carrier, "dial" | "resume"> {
  dial(request: DialRequest & { permit: DialPermit }): Promise<DiallingLeg>;
  resume?(request: Parameters<NonNullable<Carrier["resume"]>>[0]): Promise<DiallingLeg>;
}
