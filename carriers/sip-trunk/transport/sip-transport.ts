import { mayReach as mayReachHere } from "@leadline/adapter-kit/outbound/private-networks";
import { createTokenBucket } from "@leadline/adapter-kit/token-bucket";

import { createAdmission } from "./admission.ts";
import type { DnsResolver } from "./locate.ts";
import { createNextHops } from "./next-hops.ts";
import { createSender } from "./sender.ts";
import type { SipTarget } from "./sip-target.ts";
import { hasToTag, peekStatus, splitMessage } from "./sip-text.ts";
import { createStreams } from "./streams.ts";
import { tidyMessage } from "./tidy-message.ts";
import { openUdp } from "./udp.ts";
import type { Source } from "./via.ts";

export interface SipTransportOptions {
  resolver: DnsResolver;
  /**
   * The address at which peers reach us, if it differs from the one that we send from: behind a NAT, the public one.
   */
  publicAddress: string | null;
  /** 0 chooses any free port. */
  localPort: number;
  listensOnTcp: boolean;
  ca: string | null;
  /** Addresses that may start something with us, in addition to the admitted ones. */
  isAllowed: (address: string) => boolean;
  /** Whether anything may be sent to this address at all; by default, what the operator allows. */
  mayReach?: (address: string) => boolean;
  /** Whether this message belongs to something in progress. */
  isExpected: (head: string) => boolean;
  /** Returns why the message was ignored, or null. */
  onMessage: (text: string, source: Source) => string | null;
  onConnectionClosed: (target: Omit<SipTarget, "serverName">) => void;
  /** Gets every message, including dropped ones. */
  trace: TransportTrace;
}

export interface TransportTrace {
  sent(text: string, target: Omit<SipTarget, "serverName">): void;
  /** Call `ignored` on the result if the message is ignored. */
  received(text: string, source: Source): { ignored(why: string): void };
  /** A message that was dropped unread and of which no copy is kept, in a flood; it is only counted. */
  dropped(text: string, source: Source, why: string): void;
  /** A packet or connection from an address that may not reach this trunk; it isn't read. */
  strangerIgnored(address: string): void;
}

/** Only a sample of a flood of dropped messages is traced. */
const tracedOfDropped = { perSecond: 2, most: 20 };

/**
 * Transports the core's messages: finds each one's destination, fills in the address that it leaves from, and
 * retransmits it over UDP until there is a response. The core knows one transport and no addresses; all of RFC 3261's
 * section 18 is here.
 */
export async function openSipTransport(options: SipTransportOptions) {
  const { mayReach = mayReachHere, trace } = options;
  const admission = createAdmission(options.isAllowed);
  const traceOfDropped = createTokenBucket(tracedOfDropped);
  let closed = false;

  function isKnownOrTraced(address: string): boolean {
    if (admission.isKnown(address)) return true;
    trace.strangerIgnored(address);
    return false;
  }
  const streams = createStreams({
    ca: options.ca,
    isKnown: isKnownOrTraced,
    onMessage: receive,
    onUnframed: (text, source, why) => trace.received(text, source).ignored(why),
    onClosed: (target) => !closed && options.onConnectionClosed(target),
  });
  const udp = await openUdp({
    port: options.localPort,
    isKnown: isKnownOrTraced,
    onMessage: (text, { address, port }) => receive(text, { protocol: "UDP", address, port, connectionId: null }),
  });
  const ourAddress = async (towards: string): Promise<string> =>
    options.publicAddress ?? (await udp.localAddress(towards));
  const nextHops = createNextHops({ resolver: options.resolver, mayReach, isOpen: streams.isOpen });
  const sender = createSender({
    udp,
    streams,
    nextHops,
    ourAddress,
    onRequest({ address }) {
      if (!mayReach(address)) throw new Error("The address is in a private network.");
      admission.allowToContinue(address);
    },
    onSent: (text, target) => trace.sent(text, target),
  });
  // Last: from here on, messages arrive.
  if (options.listensOnTcp)
    await streams.listen(udp.port).catch((error: unknown) => {
      udp.close();
      throw error;
    });

  function receive(text: string, source: Source): void {
    const tidy = tidyMessage(text);
    const { head } = splitMessage(tidy);
    const isResponse = peekStatus(head) !== null;
    const startsDialog = !isResponse && !hasToTag(head);
    if (startsDialog && !admission.mayBegin(source.address))
      return drop(text, source, "Its sender isn’t allowed to start calls. Add the address under Further addresses.");
    if (!options.isExpected(head)) {
      if (!admission.takesAnother(source.address))
        return drop(text, source, "Its sender sends too many new requests per second.");
    } else if (!(isResponse && nextHops.takesResponse(head)) && !admission.takesInCall())
      return drop(text, source, "Too many messages per second belong to the trunk’s calls.");
    admission.allowToContinue(source.address);
    const traced = trace.received(text, source);
    sender.noteArrival(head);
    const why = options.onMessage(tidy, source);
    if (why !== null) traced.ignored(why);
  }

  /** Dropping must cost next to nothing. */
  function drop(text: string, source: Source, why: string): void {
    if (traceOfDropped.take()) trace.received(text, source).ignored(why);
    else trace.dropped(text, source, why);
  }

  return {
    /** once: a stateless refusal, which answers each INVITE anew (section 8.2.7). */
    async send(text: string, how: { once: boolean } = { once: false }): Promise<void> {
      if (closed) throw new Error("The trunk is closed.");
      if (peekStatus(text) === null) await sender.sendRequest(text);
      else await sender.sendResponse(text, how);
    },
    port: udp.port,
    /** The address at which this peer reaches us. Rejects if there is no route to it. */
    ourAddress,
    /** Requests outside a dialog with this Call-ID go there, and from behind a NAT those inside too. */
    aim: nextHops.aim,
    forgetAim: nextHops.forgetAim,
    placedAt: sender.placedAt,
    troubleWith: sender.troubleWith,
    /** These are all of the trunk's addresses now, and may send us requests. */
    admit: (addresses: readonly string[]): void => admission.admit(addresses.filter(mayReach)),
    /** A call with this address is in progress, whatever DNS says. */
    allowToContinue: admission.allowToContinue,
    mayReach,
    async close(): Promise<void> {
      closed = true;
      sender.stop();
      nextHops.close();
      udp.close();
      await streams.close();
    },
  };
}

export type SipTransport = Awaited<ReturnType<typeof openSipTransport>>;
