import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import type { CarrierIdentity } from "@leadline/adapter-kit/carrier-identity";
import { isPublicAddress } from "@leadline/adapter-kit/outbound/public-address";

import { numberInUser } from "./number-in-user.ts";
import { serversIn } from "./servers.ts";
import type { TrunkSettings } from "./settings.ts";
import { wantedOf } from "./targets.ts";
import { type DnsResolver, locate, type Wanted } from "./transport/locate.ts";
import type { SipTarget } from "./transport/sip-target.ts";

/** A user is waiting for the form to be saved. */
const locatedWithinMs = 3_000;

/**
 * Every server of the trunk by its name and addresses, so that another spelling or port is recognised as the same.
 * `found`: the targets that calls are about to use, whatever DNS returns when asked again.
 */
export async function identify(
  settings: TrunkSettings,
  resolver: DnsResolver = new Resolver(),
  found: readonly SipTarget[] = [],
): Promise<CarrierIdentity> {
  const { host, outboundProxy, transport, authentication, localPort, numbers, callerId } = settings;
  const given = [...serversIn(host), ...serversIn(outboundProxy ?? "")].join(", ");
  const wanted = wantedOf({ host: given, outboundProxy: null, transport });
  const servers = await Promise.all(wanted.map((each) => locateServer(resolver, each)));
  const targets = [...servers.flatMap((server) => server.targets), ...found];
  return {
    servers: [...new Set([...servers.flatMap(spellingsOf), ...found.map(spelled)])],
    knownByAddress: authentication === "ip",
    localPort: localPort === 0 ? null : localPort,
    numbers: [...new Set([...numbers, callerId, numberInUser(settings)].filter((number) => number !== null))],
    vouchedFor: targets.some(({ address }) => !isPublicAddress(address)),
  };
}

async function locateServer(resolver: DnsResolver, wanted: Wanted): Promise<{ name: string; targets: SipTarget[] }> {
  const name = wanted.host.toLowerCase().replace(/\.$/, "");
  const late = sleep(locatedWithinMs, [], { ref: false });
  return {
    name,
    targets: await Promise.race([locate(resolver, { ...wanted, host: name }).catch(() => []), late]),
  };
}

/** For a provider, every port is the same trunk; in a private network one machine may run several PBXs. */
const spelled = ({ address, port }: SipTarget): string => (isPublicAddress(address) ? address : `${address}:${port}`);

function spellingsOf({ name, targets }: { name: string; targets: readonly SipTarget[] }): string[] {
  const places = targets.map(spelled);
  const isPrivate = targets.length > 0 && targets.every(({ address }) => !isPublicAddress(address));
  return isPrivate || isIP(name) !== 0 ? places : [name, ...places];
}
