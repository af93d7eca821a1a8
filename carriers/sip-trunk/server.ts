import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { isServedHere, mayReach } from "@leadline/adapter-kit/outbound/private-networks";

import { presets } from "./presets.ts";
import { settings } from "./settings.ts";

/** Any SIP trunk or PBX, over UDP, TCP or TLS. */
export const carrier: CarrierModule<typeof settings> = {
  id: "sip-trunk",
  name: "SIP trunk",
  capabilities: { hold: true, transfer: true, inbound: true, digits: "media", numbers: false },
  settings,
  presets,
  async identify(given) {
    const { identify } = await import("./identify.ts");
    return identify(given);
  },
  async open(given, listener, shared) {
    // Loaded with the first trunk: a server without trunks starts without SIP.
    const { openSipTrunk } = await import("./open-sip-trunk.ts");
    // This process's own sandbox is on loopback, where other trunks need the operator's permission.
    const isHere = isServedHere(given.host) && given.outboundProxy === null;
    const ways = isHere && { mayReach: (address: string) => address === "127.0.0.1" || mayReach(address) };
    return openSipTrunk(given, { listener, ...shared, ...ways });
  },
};
