import { Resolver } from "node:dns/promises";

import type { Carrier, CarrierHangUpCause, CarrierModule } from "@leadline/adapter-kit/carrier";

import { dialLeg, type DialledLeg } from "./calls/dial-leg.ts";
import { settings, type TrunkSettings } from "./settings.ts";
import type { DnsResolver } from "./transport/locate.ts";
import { openTrunk } from "./trunk.ts";

const carrierClosed: CarrierHangUpCause = { reason: "network-failure", sip: 503, q850: 38 };

/** resolver: for tests; the system's otherwise. */
export async function openSipTrunk(
  given: TrunkSettings,
  { resolver = new Resolver() }: { resolver?: DnsResolver } = {},
): Promise<Carrier> {
  const legs = new Set<DialledLeg>();
  const trunk = await openTrunk({
    settings: given,
    resolver,
    onInvite: (request) => void request.reject({ statusCode: 480 }),
    onConnectionClosed: () => {},
  });

  return {
    async dial(request) {
      const leg = await dialLeg(trunk, request, () => legs.delete(leg));
      legs.add(leg);
      return leg;
    },
    async close() {
      await Promise.all([...legs].map((leg) => leg.end(carrierClosed)));
      trunk.core.dispose();
      await trunk.transport.close();
    },
  };
}

/** Any SIP trunk or PBX, over UDP, TCP or TLS. */
export const carrier: CarrierModule<typeof settings> = {
  id: "sip-trunk",
  name: "SIP trunk",
  capabilities: { hold: true, inbound: false, digits: "media", numbers: false },
  settings,
  open: (given) => openSipTrunk(given),
};
