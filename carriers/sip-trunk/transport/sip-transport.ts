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
  /** Where peers reach us, where that is not where we send from: behind a NAT, a public address. */
  publicAddress: string | null;
  /** 0 takes any that is free. */
  localPort: number;
  listensOnTcp: boolean;
  ca: string | null;
  /** Addresses that may begin something with us, beside those that are admitted. */
  isAllowed: (address: string) => boolean;
  /** Whether anything may be sent to this address at all; what the operator allows, where nothing else is said. */
  mayReach?: (address: string) => boolean;
  /** Whether this message belongs to something that is under way. */
  isExpected: (head: string) => boolean;
  /** Returns why the message was ignored, null where it wasn't. */
  onMessage: (text: string, source: Source) => string | null;
  onConnectionClosed: (target: Omit<SipTarget, "serverName">) => void;
  /** Every message passes here, including those that are dropped. */
  trace: TransportTrace;
}

export interface TransportTrace {
  sent(text: string, target: Omit<SipTarget, "serverName">): void;
  /** The result takes why the message is ignored, once that is known. */
  received(text: string, source: Source): { ignored(why: string): void };
  /** A packet or connection from an address that may not reach this trunk; nothing of it is read. */
  strangerIgnored(address: string): void;
}

/** Of a flood of dropped messages only a sample is traced. */
const tracedOfDropped = { perSecond: 2, most: 20 };

/**
 * Carries the core's messages: finds where each goes, fills in the address it leaves from, and over UDP sends it again until
 * it is answered. The core knows one transport and no addresses; all of RFC 3261's section 18 is here.
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
      admission.lead(address);
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
    const begins = peekStatus(head) === null && !hasToTag(head);
    if (begins && !admission.mayBegin(source.address))
      return drop(text, source, "Its sender isn’t allowed to start calls. Add the address under Further addresses.");
    if (!options.isExpected(head) && !admission.takesAnother(source.address))
      return drop(text, source, "Its sender sends too many new requests per second.");
    const traced = trace.received(text, source);
    sender.noteArrival(head);
    const why = options.onMessage(tidy, source);
    if (why !== null) traced.ignored(why);
  }

  /** What is dropped costs next to nothing. */
  function drop(text: string, source: Source, why: string): void {
    if (traceOfDropped.take()) trace.received(text, source).ignored(why);
  }

  return {
    /** once: a refusal that nobody remembers, which answers each INVITE anew (section 8.2.7). */
    async send(text: string, how: { once: boolean } = { once: false }): Promise<void> {
      if (closed) throw new Error("The trunk is closed.");
      if (peekStatus(text) === null) await sender.sendRequest(text);
      else await sender.sendResponse(text, how);
    },
    port: udp.port,
    /** By which address this peer reaches us. Rejects where no way leads there. */
    ourAddress,
    /** Requests outside a dialog with this Call-ID go there, and from behind a NAT those inside. */
    aim: nextHops.aim,
    forgetAim: nextHops.forgetAim,
    placedAt: sender.placedAt,
    troubleWith: sender.troubleWith,
    /** This address may send us requests from now on. */
    admit(address: string): void {
      if (mayReach(address)) admission.admit(address);
    },
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
