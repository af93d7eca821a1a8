import { type DnsResolver, locate, type Wanted } from "./transport/locate.ts";
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

export function wantedOf(settings: Pick<TrunkSettings, "host" | "outboundProxy" | "transport">): Wanted {
  const place = readHostAndPort(`sip:${settings.outboundProxy ?? settings.host}`);
  if (!place) throw new Error("The server's address cannot be read.");
  return { host: place.host, port: place.port, protocol: protocols[settings.transport] };
}

export interface TargetsOptions {
  resolver: DnsResolver;
  wanted: Wanted;
  /** Whether a way leads there from here: a name may have addresses of a family that this machine has not. */
  isRouted: (address: string) => Promise<boolean>;
  onLocated: (targets: readonly SipTarget[]) => void;
}

/** The trunk's addresses: those that answered last come first, in the order that DNS gave them. */
export function createTargets(options: TargetsOptions) {
  let located: { targets: SipTarget[]; atMs: number } | null = null;
  let locating: Promise<SipTarget[]> | null = null;
  const silent = new Set<string>();

  async function locateNow(): Promise<SipTarget[]> {
    const found = await locate(options.resolver, options.wanted);
    const routed = await Promise.all(found.map(({ address }) => options.isRouted(address)));
    const targets = routed.includes(true) ? found.filter((_, i) => routed[i]) : found;
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

  return {
    all,
    /** As located last, without waiting. */
    known: (): readonly SipTarget[] => located?.targets ?? [],
    /** Rejects with NotLocated where there is none. */
    async inOrder(): Promise<SipTarget[]> {
      const targets = await all();
      const answers = (target: SipTarget): boolean => !silent.has(targetKey(target));
      return [...targets.filter(answers), ...targets.filter((target) => !answers(target))];
    },
    /** To what was last asked of it. */
    isSilent: (target: SipTarget): boolean => silent.has(targetKey(target)),
    note(target: SipTarget, heard: "answered" | "silent"): void {
      if (heard === "answered") silent.delete(targetKey(target));
      else silent.add(targetKey(target));
    },
  };
}

export type Targets = ReturnType<typeof createTargets>;
