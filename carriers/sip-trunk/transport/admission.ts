import { createTokenBucket, type TokenBucket } from "@leadline/adapter-kit/token-bucket";

/** A call is at most that long without a word between its two sides: session timers see to it. */
const callMs = 24 * 3_600_000;
const mostPeers = 1_000;

/**
 * Calls a second that a peer may begin, ten times what carriers allow themselves. The library takes a millisecond and more to
 * read a message: what belongs to nothing and comes beyond this is dropped unread, and a peer that meant it sends it again.
 */
const beginningsOfPeer = { perSecond: 50, most: 100 };

/** Whose messages are read at all, and how many of those that begin something. */
export function createAdmission(isAllowed: (address: string) => boolean) {
  const known = new Set<string>();
  /** Where requests of our calls lead, and until when: whoever is there may go on with them, and begin nothing. */
  const ledTo = new Map<string, number>();
  const beginnings = new Map<string, TokenBucket>();

  const mayBegin = (address: string): boolean => known.has(address) || isAllowed(address);

  function bucketOf(address: string): TokenBucket {
    const bucket = beginnings.get(address) ?? createTokenBucket(beginningsOfPeer);
    if (beginnings.size >= mostPeers) beginnings.clear();
    beginnings.set(address, bucket);
    return bucket;
  }

  return {
    admit: (address: string): void => void known.add(address),
    /** A request of ours goes there. */
    lead(address: string): void {
      const nowMs = performance.now();
      if (ledTo.size >= mostPeers) for (const [each, untilMs] of ledTo) if (untilMs < nowMs) ledTo.delete(each);
      ledTo.set(address, nowMs + callMs);
    },
    mayBegin,
    isKnown: (address: string): boolean => mayBegin(address) || (ledTo.get(address) ?? 0) > performance.now(),
    /** Counts one message that belongs to nothing; false where that is one too many. */
    takesAnother: (address: string): boolean => bucketOf(address).take(),
  };
}
