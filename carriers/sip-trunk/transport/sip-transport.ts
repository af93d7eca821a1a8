import { mayReach as mayReachHere } from "@leadline/adapter-kit/outbound/private-networks";
import { isPublicAddress } from "@leadline/adapter-kit/outbound/public-address";
import { createTokenBucket, type TokenBucket } from "@leadline/adapter-kit/token-bucket";

import { type DnsResolver, locate } from "./locate.ts";
import { createRetransmissions, t1Ms } from "./retransmissions.ts";
import { hasToTag, peekBranch, peekHeader, peekMethod, peekNextHop, peekStatus, splitMessage } from "./sip-text.ts";
import { type SipProtocol, type SipTarget, targetKey } from "./sip-target.ts";
import { createStreams } from "./streams.ts";
import { tidyMessage } from "./tidy-message.ts";
import { openUdp } from "./udp.ts";
import { placeOurAddress, readReplyPath, type Source, withoutReplyPath } from "./via.ts";

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

/** Long enough for an INVITE that rings as long as a callee can bear, and for what may come late after it. */
const transactionMs = 10 * 60_000;

/** A call is at most that long without a word between its two sides: session timers see to it. */
const callMs = 24 * 3_600_000;
const mostPeers = 1_000;

/**
 * Calls a second that a peer may begin, ten times what carriers allow themselves. The library takes a millisecond and more to
 * read a message: what belongs to nothing and comes beyond this is dropped unread, and a peer that meant it sends it again.
 */
const beginningsOfPeer = { perSecond: 50, most: 100 };
/** No transaction is older. */
const lateMs = 64 * t1Ms;

/**
 * Carries the core's messages: finds where each goes, fills in the address it leaves from, and over UDP sends it again until
 * it is answered. The core knows one transport and no addresses; all of RFC 3261's section 18 is here.
 */
export async function openSipTransport(options: SipTransportOptions) {
  const { resolver, mayReach = mayReachHere } = options;
  const retransmissions = createRetransmissions();
  /** Where each Call-ID's requests outside a dialog go, and, from behind a NAT, those inside too. */
  const aims = new Map<string, SipTarget>();
  /** Where each branch went: its CANCEL, and the ACK of its refusal, go there too. */
  const sentTo = new Map<string, { target: SipTarget; forget: NodeJS.Timeout }>();
  const beginnings = new Map<string, TokenBucket>();
  /** Where requests of our calls lead, and until when: whoever is there may go on with them, and begin nothing. */
  const ledTo = new Map<string, number>();
  const traceOfDropped = createTokenBucket({ perSecond: 2, most: 20 });
  const known = new Set<string>();
  const troubles = new Map<string, string>();
  /** As whom each target knows us: what we wrote into the last request there. */
  const placedAt = new Map<string, { host: string; port: number }>();
  let closed = false;

  const mayBegin = (address: string): boolean => known.has(address) || options.isAllowed(address);
  const isKnown = (address: string): boolean => mayBegin(address) || (ledTo.get(address) ?? 0) > performance.now();
  function isKnownOrTraced(address: string): boolean {
    if (isKnown(address)) return true;
    options.trace.strangerIgnored(address);
    return false;
  }
  const streams = createStreams({
    ca: options.ca,
    isKnown: isKnownOrTraced,
    onMessage: receive,
    onUnframed: (text, source, why) => options.trace.received(text, source).ignored(why),
    onClosed: (target) => !closed && options.onConnectionClosed(target),
  });
  const udp = await openUdp({
    port: options.localPort,
    isKnown: isKnownOrTraced,
    onMessage: (text, { address, port }) => receive(text, { protocol: "UDP", address, port, connectionId: null }),
  });
  if (options.listensOnTcp)
    await streams.listen(udp.port).catch((error: unknown) => {
      udp.close();
      throw error;
    });

  function receive(text: string, source: Source): void {
    const tidy = tidyMessage(text);
    const { head } = splitMessage(tidy);
    const begins = peekStatus(head) === null && !hasToTag(head);
    if (begins && !mayBegin(source.address))
      return dropTraced(text, source, "Its sender may not start calls here. Add the address under Further addresses.");
    if (!options.isExpected(head) && !bucketOf(source.address).take())
      return dropTraced(text, source, "Its sender sends too many new requests per second.");
    const traced = options.trace.received(text, source);
    noteArrival(head);
    const why = options.onMessage(tidy, source);
    if (why !== null) traced.ignored(why);
  }

  /** What is dropped costs next to nothing, so of a flood only a sample is traced. */
  function dropTraced(text: string, source: Source, why: string): void {
    if (traceOfDropped.take()) options.trace.received(text, source).ignored(why);
  }

  function bucketOf(address: string): TokenBucket {
    const bucket = beginnings.get(address) ?? createTokenBucket(beginningsOfPeer);
    if (beginnings.size >= mostPeers) beginnings.clear();
    beginnings.set(address, bucket);
    return bucket;
  }

  function noteArrival(head: string): void {
    const status = peekStatus(head);
    const branch = peekBranch(head);
    const method = peekMethod(head);
    if (status === null) {
      if (method === "ACK") retransmissions.stop(`${branch} refusal`);
    } else if (status >= 200 || method === "INVITE") retransmissions.stop(`${branch} ${method}`);
    else retransmissions.slowDown(`${branch} ${method}`);
  }

  async function send(text: string, how: { once: boolean } = { once: false }): Promise<void> {
    if (closed) throw new Error("The trunk is closed.");
    const { head } = splitMessage(text);
    if (peekStatus(head) === null) await sendRequest(text, head);
    else await sendResponse(text, head, how);
  }

  async function sendRequest(text: string, head: string): Promise<void> {
    const branch = peekBranch(head) ?? "";
    const method = peekMethod(head) ?? "";
    const target = sentTo.get(branch)?.target ?? (await targetOf(head));
    if (!mayReach(target.address)) throw new Error("The address is in a private network.");
    if (ledTo.size >= mostPeers)
      for (const [address, untilMs] of ledTo) if (untilMs < performance.now()) ledTo.delete(address);
    ledTo.set(target.address, performance.now() + callMs);
    if (method !== "ACK" || hasToTag(head)) rememberBranch(branch, target);
    if (target.protocol !== "UDP") {
      try {
        await streams.send(target, (local) => {
          if (!hasToTag(head)) placedAt.set(targetKey(target), local);
          const placed = placeOurAddress(text, target.protocol, local);
          options.trace.sent(placed, target);
          return placed;
        });
        troubles.delete(targetKey(target));
      } catch (error) {
        troubles.set(targetKey(target), codeOf(error));
        throw error;
      }
      return;
    }

    const local = { host: await ourAddress(target.address), port: udp.port };
    const placed = placeOurAddress(text, "UDP", local);
    if (!hasToTag(head)) placedAt.set(targetKey(target), local);
    options.trace.sent(placed, target);
    await udp.send(placed, target);
    // An ACK is answered by nothing: what it answers comes again where it was lost.
    if (method === "ACK") return;
    const resend = (): void => void udp.send(placed, target).catch(() => {});
    retransmissions.start(`${branch} ${method}`, { uncapped: method === "INVITE", resend });
  }

  function rememberBranch(branch: string, target: SipTarget): void {
    clearTimeout(sentTo.get(branch)?.forget);
    const forget = setTimeout(() => sentTo.delete(branch), transactionMs);
    forget.unref();
    sentTo.set(branch, { target, forget });
  }

  async function targetOf(head: string): Promise<SipTarget> {
    const aim = aims.get(peekHeader(head, "callId") ?? "");
    if (!hasToTag(head) && aim) return aim;
    const hop = peekNextHop(head);
    // A telephone number is reached the way that the call went.
    if (!hop && aim) return aim;
    if (!hop) throw new Error("This request names no place to go to.");
    const isAimedByTls = aim?.protocol === "TLS";
    const protocol = hop.secure ? "TLS" : (namedProtocol(hop.transport) ?? (isAimedByTls ? "TLS" : "UDP"));
    // Many a PBX names UDP over TLS as well. What goes by TLS may hold keys, and goes by nothing else.
    if (isAimedByTls && protocol !== "TLS") return aim;
    const [found] = await locate(resolver, { host: hop.host, port: hop.port, protocol });
    if (!found) throw new Error("This request's next hop has no address.");
    if (!aim) return found;
    // A peer behind a NAT names an address of its own network: what reached it before reaches it again.
    const isTheirs = isPublicAddress(aim.address) && !isPublicAddress(found.address);
    if (isTheirs || !mayReach(found.address)) return aim;
    const isOurs = found.address === aim.address && found.protocol === aim.protocol && streams.isOpen(aim);
    return isOurs ? aim : { ...found, serverName: aim.serverName };
  }

  async function sendResponse(text: string, head: string, { once }: { once: boolean }): Promise<void> {
    const path = readReplyPath(head);
    if (!path) throw new Error("This response answers a request that did not come by here.");
    const clean = withoutReplyPath(text);
    if (path.connectionId !== null) {
      const sent = streams.reply(path.connectionId, (local) => {
        const placed = placeOurAddress(clean, path.protocol, local);
        options.trace.sent(placed, path);
        return placed;
      });
      if (!sent) throw new Error("The connection that the request came by is gone.");
      return;
    }
    const local = { host: await ourAddress(path.address), port: udp.port };
    const placed = placeOurAddress(clean, "UDP", local);
    options.trace.sent(placed, path);
    await udp.send(placed, path);
    const status = peekStatus(head) ?? 0;
    if (status < 300 || peekMethod(head) !== "INVITE" || once) return;
    const resend = (): void => void udp.send(placed, path).catch(() => {});
    retransmissions.start(`${peekBranch(head)} refusal`, { uncapped: false, resend });
  }

  async function ourAddress(towards: string): Promise<string> {
    return options.publicAddress ?? udp.localAddress(towards);
  }

  return {
    /** once: a refusal that nobody remembers, which answers each INVITE anew (section 8.2.7). */
    send,
    port: udp.port,
    /** By which address this peer reaches us. Rejects where no way leads there. */
    ourAddress,
    /** Requests outside a dialog with this Call-ID go there, and from behind a NAT those inside. */
    aim: (callId: string, target: SipTarget): void => void aims.set(callId, target),
    /** What is still under way with this Call-ID has its time. */
    forgetAim: (callId: string): void => void setTimeout(() => aims.delete(callId), lateMs).unref(),
    placedAt: (target: SipTarget): { host: string; port: number } | null => placedAt.get(targetKey(target)) ?? null,
    /** The code of the error that the last connection there failed with; null where it came to be, or none was tried. */
    troubleWith: (target: SipTarget): string | null => troubles.get(targetKey(target)) ?? null,
    /** This address may send us requests from now on. */
    admit: (address: string): void => void (mayReach(address) && known.add(address)),
    mayReach,
    async close(): Promise<void> {
      closed = true;
      retransmissions.stopAll();
      for (const { forget } of sentTo.values()) clearTimeout(forget);
      udp.close();
      await streams.close();
    },
  };
}

export type SipTransport = Awaited<ReturnType<typeof openSipTransport>>;

function namedProtocol(transport: string | null): SipProtocol | null {
  return transport === "UDP" || transport === "TCP" || transport === "TLS" ? transport : null;
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.name : "unknown";
}
