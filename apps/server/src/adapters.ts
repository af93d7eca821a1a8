import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import type { PaymentModule } from "@leadline/adapter-kit/payment";
import type { ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import type { CrmModule } from "@leadline/adapter-kit/crm";
import { carrier as sandboxCarrier } from "@leadline/carrier-sandbox/server";
import { startVendorSandbox as startTelnyxSandbox } from "@leadline/carrier-sandbox/telnyx/server";
import { startVendorSandbox as startTwilioSandbox } from "@leadline/carrier-sandbox/twilio/server";
import type { StartVendorSandbox } from "@leadline/carrier-sandbox/vendor/vendor-sandbox";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import { provisioner as telnyx } from "@leadline/carrier-telnyx/server";
import { provisioner as twilio } from "@leadline/carrier-twilio/server";
import { crm as hubspot } from "@leadline/crm-hubspot/server";
import { crm as podio } from "@leadline/crm-podio/server";
import { crm as salesforce } from "@leadline/crm-salesforce/server";
import { startSandboxCrm as startHubspotSandbox } from "@leadline/crm-sandbox/hubspot/server";
import { startSandboxCrm as startPodioSandbox } from "@leadline/crm-sandbox/podio/server";
import { startSandboxCrm as startSalesforceSandbox } from "@leadline/crm-sandbox/salesforce/server";
import type { StartSandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import { payment as sandboxPayments } from "@leadline/payment-sandbox/server";
import { payment as stripe } from "@leadline/payment-stripe/server";

/** The only list of carriers. A new one needs its folder and a line here. */
export const carrierModules: readonly CarrierModule[] = [sandboxCarrier, sipTrunk];

/** The only list of vendors whose trunks are set up by API key, each with its sandbox. */
export const provisioners: readonly { module: ProvisionerModule; startSandbox: StartVendorSandbox }[] = [
  { module: twilio, startSandbox: startTwilioSandbox },
  { module: telnyx, startSandbox: startTelnyxSandbox },
];

/**
 * The only list of CRMs, in the order in which they are offered, each with the sandbox that replaces it in a trial, if it
 * has one. A new one needs its folders and a line here.
 */
export const crms: readonly { module: CrmModule; startSandbox: StartSandboxCrm | null }[] = [
  { module: salesforce, startSandbox: startSalesforceSandbox },
  { module: podio, startSandbox: startPodioSandbox },
  { module: hubspot, startSandbox: startHubspotSandbox },
];

/** The only list of payment providers. The first one that the settings enable takes new payments. */
export const paymentModules: readonly PaymentModule[] = [stripe, sandboxPayments];
