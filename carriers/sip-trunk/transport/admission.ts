import { createTokenBucket, type TokenBucket } from "@leadline/adapter-kit/token-bucket";

import { setLatest } from "./set-latest.ts";

/** A call is at most this long without a message between its two sides: session timers ensure it. */
const callMs = 24 * 3_600_000;
/** Long enough for DNS that returns some of a name's addresses at a time, and for a registrar that still knows us. */
const namedForMs = 3_600_000;

/**
 * How many messages per second may start something, per peer: ten times what carriers limit themselves to. The library
 * takes a millisecond or more per message: unrelated ones beyond this are dropped unread, and a legitimate peer
 * retransmits them. At once, more than an organisation's calls in a minute, so that those over that limit get its 503.
 */
const newCallsPerPeer = { perSecond: 50, most: 200 };
/** All of its peers together. */
const newCallsPerTrunk = { perSecond: 100, most: 400 };
/** Requests in all of its calls: hundreds may begin or end at once, and otherwise each sends one in minutes. */
const inCallsPerTrunk = { perSecond: 200, most: 400 };

/** Which addresses' messages are read, and how many per second. */
export function createAdmission(isAllowed: (address: string) => boolean) {
  /** The trunk's addresses, and when DNS last named them. */
  const named = new Map<string, number>();
  /** Addresses that we have exchanged messages with, and until when: these may continue calls, but start nothing. */
  const partners = new Map<string, number>();
  const newCalls = new Map<string, TokenBucket>();
  const newCallsOfAll = createTokenBucket(newCallsPerTrunk);
  const inCalls = createTokenBucket(inCallsPerTrunk);

  const mayBegin = (address: string): boolean => named.has(address) || isAllowed(address);

  function bucketOf(address: string): TokenBucket {
    const bucket = newCalls.get(address) ?? createTokenBucket(newCallsPerPeer);
    setLatest(newCalls, address, bucket);
    return bucket;
  }

  return {
    /** All of the trunk's addresses, whenever they are located; none if they are another organisation's. */
    admit(addresses: readonly string[]): void {
      const nowMs = performance.now();
      for (const [each, namedAtMs] of named)
        if (addresses.length === 0 || nowMs - namedAtMs > namedForMs) named.delete(each);
      for (const address of addresses) named.set(address, nowMs);
    },
    /** A call with it may be in progress. */
    allowToContinue: (address: string): void => setLatest(partners, address, performance.now() + callMs),
    mayBegin,
    isKnown: (address: string): boolean => mayBegin(address) || (partners.get(address) ?? 0) > performance.now(),
    /** Counts a message that starts something; false if it is one too many. */
    takesAnother: (address: string): boolean => bucketOf(address).take() && newCallsOfAll.take(),
    /** Counts a message that belongs to something in progress; false if it is one too many. */
    takesInCall: inCalls.take,
  };
}
