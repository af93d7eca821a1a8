import type { BrowserLeg } from "./browser-leg.ts";
import type { CarrierLeg } from "./carrier-leg.ts";

export type Leg = BrowserLeg | CarrierLeg;
