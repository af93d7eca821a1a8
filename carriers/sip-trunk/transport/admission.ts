import { createTokenBucket, type TokenBucket } from "@leadline/adapter-kit/token-bucket";

/** A call is at most this long without a message between its two sides: session timers ensure it. */
const callMs = 24 * 3_600_000;
const maxPeers = 1_000;

/**
 * How many messages per second may start something, per peer: ten times what carriers limit themselves to. The library
 * takes a millisecond or more per message: unrelated ones beyond this are dropped unread, and a legitimate peer
 * retransmits them. At once, more than an organisation's calls in a minute, so that those over that limit get its 503.
 */
const newCallsPerPeer = { perSecond: 50, most: 200 };

/** Which addresses' messages are read, and how many per second may start something. */
export function createAdmission(isAllowed: (address: string) => boolean) {
  const known = new Set<string>();
  /** Addresses that our calls' requests go to, and until when: these may continue the calls, but start nothing. */
  const ledTo = new Map<string, number>();
  const newCalls = new Map<string, TokenBucket>();

  const mayBegin = (address: string): boolean => known.has(address) || isAllowed(address);

  function bucketOf(address: string): TokenBucket {
    const bucket = newCalls.get(address) ?? createTokenBucket(newCallsPerPeer);
    if (newCalls.size >= maxPeers) newCalls.clear();
    newCalls.set(address, bucket);
    return bucket;
  }

  return {
    admit: (address: string): void => void known.add(address),
    /** One of our requests goes there. */
    lead(address: string): void {
      const nowMs = performance.now();
      if (ledTo.size >= maxPeers) for (const [each, untilMs] of ledTo) if (untilMs < nowMs) ledTo.delete(each);
      ledTo.set(address, nowMs + callMs);
    },
    mayBegin,
    isKnown: (address: string): boolean => mayBegin(address) || (ledTo.get(address) ?? 0) > performance.now(),
    /** Counts a message that starts something; false if it is one too many. */
    takesAnother: (address: string): boolean => bucketOf(address).take(),
  };
}
