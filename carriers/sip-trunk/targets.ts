import { type DnsResolver, locate, type Wanted } from "./transport/locate.ts";
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

/** Who is asked, as the settings name them: the servers, or who is on the way there. */
export const askedOf = ({ host, outboundProxy }: Pick<TrunkSettings, "host" | "outboundProxy">): string =>
  outboundProxy ?? host;

/** The places that everything is sent to, the preferred first. */
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
  /** Whether nothing there needs to be proven. */
  vouchesFor?: (address: string) => boolean;
  /** Asked whenever they are elsewhere than before; where it answers false, there are none until they are elsewhere again. */
  mayUse?: (found: readonly SipTarget[]) => Promise<boolean>;
  /** In the order in which they are tried. */
  wanted: readonly Wanted[];
  /** Whether a way leads there from here: a name may have addresses of a family that this machine has not. */
  isRouted: (address: string) => Promise<boolean>;
  onLocated: (targets: readonly SipTarget[]) => void;
  /** One that was silent, or had never been heard, has sent something. */
  onBack?: () => void;
}

/** The trunk's addresses: those that answered last come first, in the order of its servers, and of what DNS says of each. */
export function createTargets(options: TargetsOptions) {
  const { wanted } = options;
  /** What each of the wanted was last found to be; one that DNS says nothing of any more stays what it was. */
  const foundAs = wanted.map((): SipTarget[] => []);
  let located: { targets: SipTarget[]; atMs: number } | null = null;
  let locating: Promise<SipTarget[]> | null = null;
  const signs = createSignsOfLife(options.onBack);
  /** What mayUse said of these places. */
  let asked: string | null = null;
  let isOurs = true;

  /** Requests of theirs may leave from another port of the same machine. */
  function targetAt({ protocol, address, port }: Omit<SipTarget, "serverName">): SipTarget | null {
    const found = foundAs.flat();
    const exactly = found.find((target) => targetKey(target) === targetKey({ protocol, address, port }));
    const there = found.filter((target) => target.address === address);
    return exactly ?? (there.length === 1 ? (there[0] ?? null) : null);
  }

  /** One that could not be asked is asked again with the next look-up. */
  async function askWhetherOurs(found: readonly SipTarget[]): Promise<void> {
    const places = found.map(targetKey).toSorted().join();
    if (places === asked || !options.mayUse) return;
    isOurs = await options.mayUse(found);
    asked = places;
  }

  async function locateNow(): Promise<SipTarget[]> {
    const lookedUp = await Promise.allSettled(
      wanted.map(async (place, i) => void (foundAs[i] = await locate(options.resolver, place))),
    );
    const found = foundAs.flat().filter((target, i, each) => each.findIndex(isSame(target)) === i);
    const failed = lookedUp.find(({ status }) => status === "rejected");
    if (found.length === 0 && failed?.status === "rejected") throw failed.reason;
    const routed = await Promise.all(found.map(({ address }) => options.isRouted(address)));
    await askWhetherOurs(found);
    const targets = !isOurs ? [] : routed.includes(true) ? found.filter((_, i) => routed[i]) : found;
    located = { targets, atMs: performance.now() };
    options.onLocated(targets);
    return targets;
  }

  /** A DNS that is away takes no trunk away that was there before, and no call waits for it. */
  async function all(): Promise<SipTarget[]> {
    if (located && performance.now() - located.atMs < locatedForMs) return located.targets;
    locating ??= locateNow().finally(() => (locating = null));
    if (!located) return locating;
    locating.catch(() => {});
    return located.targets;
  }

  const vouchesFor = options.vouchesFor ?? (() => false);
  /** The first of the wanted that this is an address of; the first of all where it is none's. */
  const placeOf = (target: SipTarget): number =>
    Math.max(
      0,
      foundAs.findIndex((found) => found.some(isSame(target))),
    );

  return {
    ...signs,
    all,
    /** They turned out to be somebody else's. */
    isTaken: (): boolean => !isOurs,
    placeOf,
    serverNameOf: (target: SipTarget): string => serverName(wanted[placeOf(target)]),
    isVouchedFor: ({ address }: SipTarget): boolean => vouchesFor(address),
    /** Those of the wanted that are located, each once, as serverNameOf names them. */
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
    /** Those of the wanted that have no address. */
    notLocated: (): Wanted[] => wanted.filter((_, i) => foundAs[i]?.length === 0),
    /** Whom a certificate of that address must name. */
    serverNameAt: (address: string): string =>
      foundAs.flat().find((target) => target.address === address)?.serverName ?? wanted[0]?.host ?? address,
    /** Rejects with NotLocated where there is none. */
    async inOrder(): Promise<SipTarget[]> {
      const targets = await all();
      return [...targets.filter((target) => !signs.isSilent(target)), ...targets.filter(signs.isSilent)];
    },
    /** Anything that arrives from there is a sign of life. */
    noteArrival(from: Omit<SipTarget, "serverName">): void {
      const target = targetAt(from);
      if (target) signs.note(target, "answered");
    },
  };
}

/** However it is spelled, and whatever port it is asked at. */
const serverName = (wanted: Wanted | undefined): string => (wanted?.host ?? "").toLowerCase().replace(/\.$/, "");

const isSame =
  (target: SipTarget) =>
  (other: SipTarget): boolean =>
    targetKey(other) === targetKey(target);

export type Targets = ReturnType<typeof createTargets>;
