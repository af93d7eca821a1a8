import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import type { CrmModule } from "@leadline/adapter-kit/crm";
import { carrier as sandboxCarrier } from "@leadline/carrier-sandbox/server";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import { crm as salesforce } from "@leadline/crm-salesforce/server";

/** The one list of carriers. A new one is its folder and a line here. */
export const carrierModules: readonly CarrierModule[] = [sandboxCarrier, sipTrunk];

/** The one list of CRMs. */
export const crmModules: readonly CrmModule[] = [salesforce];
