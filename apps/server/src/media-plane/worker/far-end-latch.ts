import { mayBeBehindNat } from "@leadline/adapter-kit/outbound/behind-nat";

export interface Address {
  host: string;
  port: number;
}

/** After this long without a packet, another source is accepted sooner. */
const silentMs = 500;
/** Consecutive packets from another source: more than stray ones. */
const whileSilent = { packets: 3, ms: 30 };
const whileSpeaking = { packets: 5, ms: 200 };
/** Packets further apart than this are strays. */
const maxBetweenMs = 200;

interface Candidate extends Address {
  sinceMs: number;
  packets: number;
}

const isSame = (one: Address | null, other: Address): boolean =>
  one !== null && one.port === other.port && one.host === other.host;

/**
 * Where a far end's packets are accepted from and sent to (RFC 4961): the address that it signalled, until that is
 * silent or packets come steadily from another port of the same host. Other hosts are ignored, except a NAT's for a
 * private address.
 */
export function createFarEndLatch() {
  let signalled: (Address & { hasSpoken: boolean; sinceMs: number }) | null = null;
  let latched: (Address & { lastAtMs: number }) | null = null;
  let candidate: Candidate | null = null;
  /** One run of packets from the signalled address while another port, which was first, is followed. */
  let signalledRun = { sinceMs: 0, lastAtMs: -Infinity, packets: 0 };

  function mayBeTheirs({ host }: Address): boolean {
    if (!signalled) return false;
    if (host === signalled.host || host === latched?.host) return true;
    return latched === null && mayBeBehindNat(signalled.host);
  }

  function isSteady(from: Address, nowMs: number): boolean {
    if (!isSame(candidate, from)) candidate = { ...from, sinceMs: nowMs, packets: 0 };
    if (!candidate || !signalled) return false;
    candidate.packets++;
    const needed = nowMs - (latched?.lastAtMs ?? signalled.sinceMs) > silentMs ? whileSilent : whileSpeaking;
    return candidate.packets >= needed.packets && nowMs - candidate.sinceMs >= needed.ms;
  }

  /**
   * The signalled address is followed immediately, unless another port sends: a keep-alive must not silence that one.
   */
  function isTurnOfSignalled(nowMs: number): boolean {
    if (!latched || nowMs - latched.lastAtMs > silentMs) return true;
    const isBroken = nowMs - signalledRun.lastAtMs > maxBetweenMs;
    const { sinceMs, packets } = isBroken ? { sinceMs: nowMs, packets: 0 } : signalledRun;
    signalledRun = { sinceMs, lastAtMs: nowMs, packets: packets + 1 };
    return signalledRun.packets >= whileSilent.packets && nowMs - sinceMs >= whileSilent.ms;
  }

  function takes(from: Address, nowMs: number): boolean {
    if (!signalled || !mayBeTheirs(from)) return false;
    if (isSame(latched, from)) return true;
    if (isSame(signalled, from) && !signalled.hasSpoken) return isTurnOfSignalled(nowMs);
    return isSteady(from, nowMs);
  }

  return {
    /** Follows a new address immediately. */
    signal({ host, port }: Address, nowMs = performance.now()): void {
      if (isSame(signalled, { host, port })) return;
      signalled = { host, port, hasSpoken: false, sinceMs: nowMs };
      latched = null;
      candidate = null;
    },
    /** Called for each packet received; returns whether to accept it. */
    takes(from: Address, nowMs = performance.now()): boolean {
      if (!takes(from, nowMs)) return false;
      if (signalled && isSame(signalled, from)) signalled.hasSpoken = true;
      latched = { ...from, lastAtMs: nowMs };
      candidate = null;
      return true;
    },
    /** Null until it has signalled an address. */
    address: (): Address | null => latched ?? signalled,
  };
}
