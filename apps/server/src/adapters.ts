import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { carrier as sandboxCarrier } from "@leadline/carrier-sandbox/server";

/** The one list of carriers. A new one is its folder and a line here. */
export const carrierModules: readonly CarrierModule[] = [sandboxCarrier];
