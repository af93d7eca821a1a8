import { type DnsResolver, locate, maxTargets, type Wanted } from "./transport/locate.ts";
import { serversIn } from "./servers.ts";
import { createSignsOfLife } from "./signs-of-life.ts";
import { type SipProtocol, type SipTarget, targetKey } from "./transport/sip-target.ts";
import { readHostAndPort } from "./transport/sip-text.ts";
import type { TrunkSettings } from "./settings.ts";

const locatedForMs = 60_000;
const protocols: Record<TrunkSettings["transport"], SipProtocol | null> = {
  auto: null,
  udp: "UDP",
  tcp: "TCP",
  tls: "TLS",
};

/** The hosts to look up, as configured: the servers, or the outbound proxy. */
export const askedOf = ({ host, outboundProxy }: Pick<TrunkSettings, "host" | "outboundProxy">): string =>
  outboundProxy ?? host;

/** Where everything is sent, preferred first. */
export const wantedOf = (settings: Pick<TrunkSettings, "host" | "outboundProxy" | "transport">): Wanted[] =>
  serversIn(askedOf(settings)).map((server) => ({
    ...readServer(server),
    protocol: protocols[settings.transport],
  }));

export function readServer(server: string): Pick<Wanted, "host" | "port"> {
  const place = readHostAndPort(`sip:${server}`);
  if (!place) throw new Error("The server's address cannot be read.");
  return { host: place.host, port: place.port };
}

export interface TargetsOptions {
  resolver: DnsResolver;
  /** Whether caller IDs need no verification there. */
  vouchesFor?: (address: string) => boolean;
  /** Called whenever the addresses change; if it resolves to false, the trunk has none until they change again. */
  mayUse?: (found: readonly SipTarget[]) => Promise<boolean>;
  /** In the order in which they are tried. */
  wanted: readonly Wanted[];
  /** Whether this machine has a route there: a name may have addresses of a family that this machine lacks. */
  isRouted: (address: string) => Promise<boolean>;
  onLocated: (targets: readonly SipTarget[]) => void;
  /** A target that was silent, or never heard from, has sent something. */
  onBack?: () => void;
}

/**
 * The trunk's addresses: those that responded last come first, then in the order of its servers and of their DNS
 * records.
 */
export function createTargets(options: TargetsOptions) {
  const { wanted } = options;
  /** A fair share, so that the first server's addresses leave some to its backups. */
  const maxOfServer = Math.floor(maxTargets / wanted.length);
  /** The latest addresses of each configured server; one that DNS no longer resolves keeps its old addresses. */
  const foundAs = wanted.map((): SipTarget[] => []);
  let located: { targets: SipTarget[]; atMs: number } | null = null;
  let locating: Promise<SipTarget[]> | null = null;
  const signs = createSignsOfLife(options.onBack);
  /** The addresses that mayUse was last asked about. */
  let asked: string | null = null;
  let isOurs = true;

  /** Its own requests may come from another port of the same machine. */
  function targetAt({ protocol, address, port }: Omit<SipTarget, "serverName">): SipTarget | null {
    const found = foundAs.flat();
    const exactly = found.find((target) => targetKey(target) === targetKey({ protocol, address, port }));
    const there = found.filter((target) => target.address === address);
    return exactly ?? (there.length === 1 ? (there[0] ?? null) : null);
  }

  /** If it can't be checked now, it is checked with the next look-up. */
  async function askWhetherOurs(found: readonly SipTarget[]): Promise<void> {
    const places = found.map(targetKey).toSorted().join();
    if (places === asked || !options.mayUse) return;
    isOurs = await options.mayUse(found);
    asked = places;
  }

  async function locateNow(): Promise<SipTarget[]> {
    const lookedUp = await Promise.allSettled(
      wanted.map(async (place, i) => void (foundAs[i] = (await locate(options.resolver, place)).slice(0, maxOfServer))),
    );
    const found = [...Map.groupBy(foundAs.flat(), targetKey).values()].flatMap(([first]) => first ?? []);
    const failed = lookedUp.find(({ status }) => status === "rejected");
    if (found.length === 0 && failed?.status === "rejected") throw failed.reason;
    const routed = await Promise.all(found.map(({ address }) => options.isRouted(address)));
    await askWhetherOurs(found);
    const targets = !isOurs ? [] : routed.includes(true) ? found.filter((_, i) => routed[i]) : found;
    located = { targets, atMs: performance.now() };
    options.onLocated(targets);
    return targets;
  }

  /** If DNS is down, known trunks keep their addresses, and no call waits for it. */
  async function all(): Promise<SipTarget[]> {
    if (located && performance.now() - located.atMs < locatedForMs) return located.targets;
    locating ??= locateNow().finally(() => (locating = null));
    if (!located) return locating;
    locating.catch(() => {});
    return located.targets;
  }

  const vouchesFor = options.vouchesFor ?? (() => false);
  /** The index of the first configured server with this address; the first one if there is none. */
  const placeOf = (target: SipTarget): number =>
    Math.max(
      0,
      foundAs.findIndex((found) => found.some(isSame(target))),
    );

  return {
    ...signs,
    all,
    /** The addresses turned out to be another organisation's. */
    isTaken: (): boolean => !isOurs,
    placeOf,
    serverNameOf: (target: SipTarget): string => serverName(wanted[placeOf(target)]),
    isVouchedFor: ({ address }: SipTarget): boolean => vouchesFor(address),
    /** The located servers, each once, under the name from serverNameOf. */
    servers(): { name: string; vouchedFor: boolean }[] {
      const named = new Map<string, boolean>();
      foundAs.forEach((found, i) => {
        const name = serverName(wanted[i]);
        const vouchedFor = found.every(({ address }) => vouchesFor(address));
        if (found.length > 0) named.set(name, vouchedFor && (named.get(name) ?? true));
      });
      return [...named].map(([name, vouchedFor]) => ({ name, vouchedFor }));
    },
    /** As located last, without waiting. */
    known: (): readonly SipTarget[] => located?.targets ?? [],
    /** The configured servers that have no address. */
    notLocated: (): Wanted[] => wanted.filter((_, i) => foundAs[i]?.length === 0),
    /** The name that a certificate at that address must contain. */
    serverNameAt: (address: string): string =>
      foundAs.flat().find((target) => target.address === address)?.serverName ?? wanted[0]?.host ?? address,
    /** Rejects with NotLocated if there is none. */
    async inOrder(): Promise<SipTarget[]> {
      const targets = await all();
      return [...targets.filter((target) => !signs.isSilent(target)), ...targets.filter(signs.isSilent)];
    },
    /** Anything received from there is a sign of life. */
    noteArrival(from: Omit<SipTarget, "serverName">): void {
      const target = targetAt(from);
      if (target) signs.note(target, "answered");
    },
  };
}

/** Regardless of spelling and port. */
const serverName = (wanted: Wanted | undefined): string => (wanted?.host ?? "").toLowerCase().replace(/\.$/, "");

const isSame =
  (target: SipTarget) =>
  (other: SipTarget): boolean =>
    targetKey(other) === targetKey(target);

export type Targets = ReturnType<typeof createTargets>;
