import type { CarrierModule } from "@leadline/adapter-kit/carrier";

import { openSipTrunk } from "./open-sip-trunk.ts";
import { settings } from "./settings.ts";

/** Any SIP trunk or PBX, over UDP, TCP or TLS. */
export const carrier: CarrierModule<typeof settings> = {
  id: "sip-trunk",
  name: "SIP trunk",
  capabilities: { hold: true, inbound: true, digits: "media", numbers: false },
  settings,
  open: (given, listener) => openSipTrunk(given, { listener }),
};
