import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import type { CarrierIdentity } from "@leadline/adapter-kit/carrier";
import { isPublicAddress } from "@leadline/adapter-kit/outbound/public-address";

import { serversIn } from "./servers.ts";
import type { TrunkSettings } from "./settings.ts";
import { wantedOf } from "./targets.ts";
import { type DnsResolver, locate, type Wanted } from "./transport/locate.ts";

/** Somebody waits for the form to be saved. */
const locatedWithinMs = 3_000;

/** Every server of the trunk under its name and its addresses, so that another spelling or port is still the same one. */
export async function identify(
  settings: TrunkSettings,
  resolver: DnsResolver = new Resolver(),
): Promise<CarrierIdentity> {
  const { host, outboundProxy, transport, authentication, localPort, numbers, callerId } = settings;
  const given = [...serversIn(host), ...serversIn(outboundProxy ?? "")].join(", ");
  const wanted = wantedOf({ host: given, outboundProxy: null, transport });
  const servers = await Promise.all(wanted.map((each) => spellingsOf(resolver, each)));
  return {
    servers: [...new Set(servers.flat())],
    knownByAddress: authentication === "ip",
    localPort: localPort === 0 ? null : localPort,
    numbers: [...new Set([...numbers, ...(callerId === null ? [] : [callerId])])],
  };
}

async function spellingsOf(resolver: DnsResolver, wanted: Wanted): Promise<string[]> {
  const name = wanted.host.toLowerCase().replace(/\.$/, "");
  const late = sleep(locatedWithinMs, [], { ref: false });
  const found = await Promise.race([locate(resolver, { ...wanted, host: name }).catch(() => []), late]);
  // Of a provider every port is the same trunk; in a private network one machine may hold several PBXs.
  const places = found.map(({ address, port }) => (isPublicAddress(address) ? address : `${address}:${port}`));
  const isPrivate = found.length > 0 && found.every(({ address }) => !isPublicAddress(address));
  return isPrivate || isIP(name) !== 0 ? places : [name, ...places];
}
