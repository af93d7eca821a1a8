import { isPublicAddress } from "@leadline/adapter-kit/outbound/public-address";

import { type DnsResolver, locate } from "./locate.ts";
import { t1Ms } from "./retransmissions.ts";
import type { SipProtocol, SipTarget } from "./sip-target.ts";
import { hasToTag, peekBranch, peekHeader, peekMethod, peekNextHop } from "./sip-text.ts";

/** Long enough for an INVITE that rings for as long as allowed, and for late messages after it. */
const transactionMs = 10 * 60_000;
/** More than any peer sends to one request, however often both sides repeat themselves. */
const maxResponses = 20;
/** No transaction lives longer. */
const lateMs = 64 * t1Ms;

interface NextHopsOptions {
  resolver: DnsResolver;
  mayReach: (address: string) => boolean;
  /** Whether there is an open connection to it. */
  isOpen: (target: SipTarget) => boolean;
}

/** Where each request goes (RFC 3261, section 8.1.2), from behind NATs and to peers behind NATs. */
export function createNextHops({ resolver, mayReach, isOpen }: NextHopsOptions) {
  /** Where each Call-ID's requests outside a dialog go, and, from behind a NAT, those inside too. */
  const aims = new Map<string, SipTarget>();
  /** Where each branch went: its CANCEL, and the ACK of its refusal, go there too. */
  const sentTo = new Map<string, { target: SipTarget; responses: number; forget: NodeJS.Timeout }>();

  async function locateNext(head: string): Promise<SipTarget> {
    const aim = aims.get(peekHeader(head, "callId") ?? "");
    if (!hasToTag(head) && aim) return aim;
    const hop = peekNextHop(head);
    // A phone number is reached the way that the call went.
    if (!hop && aim) return aim;
    if (!hop) throw new Error("This request names no place to go to.");
    const isAimedByTls = aim?.protocol === "TLS";
    const protocol = hop.secure ? "TLS" : (namedProtocol(hop.transport) ?? (isAimedByTls ? "TLS" : "UDP"));
    // Many PBXs name UDP even over TLS. A message over TLS may contain keys, and must not go over anything else.
    if (isAimedByTls && protocol !== "TLS") return aim;
    const [found] = await locate(resolver, { host: hop.host, port: hop.port, protocol }).catch((error: unknown) => {
      // A name that only the peer's own network knows.
      if (aim) return [aim];
      throw error;
    });
    if (!found) throw new Error("This request's next hop has no address.");
    if (!aim) return found;
    // A peer behind a NAT names a private address: use the address that reached it before.
    const isTheirs = isPublicAddress(aim.address) && !isPublicAddress(found.address);
    if (isTheirs || !mayReach(found.address)) return aim;
    const isOurs = found.address === aim.address && found.protocol === aim.protocol && isOpen(aim);
    return isOurs ? aim : { ...found, serverName: aim.serverName };
  }

  return {
    /** Rejects if the request's destination can't be located. */
    of: async (head: string): Promise<SipTarget> => sentTo.get(peekBranch(head))?.target ?? (await locateNext(head)),
    /** A request is being sent there, and the rest of its transaction follows. */
    note(head: string, target: SipTarget): void {
      // The ACK of a 2xx is a transaction of its own.
      if (peekMethod(head) === "ACK" && !hasToTag(head)) return;
      const branch = peekBranch(head);
      clearTimeout(sentTo.get(branch)?.forget);
      const forget = setTimeout(() => sentTo.delete(branch), transactionMs);
      forget.unref();
      sentTo.set(branch, { target, responses: 0, forget });
    },
    /** Counts a response; false if it answers none of our requests, or one that has had more than enough. */
    takesResponse(head: string): boolean {
      const sent = sentTo.get(peekBranch(head));
      return sent !== undefined && ++sent.responses <= maxResponses;
    },
    aim: (callId: string, target: SipTarget): void => void aims.set(callId, target),
    /** Delayed, for requests with this Call-ID that are still in progress. */
    forgetAim: (callId: string): void => void setTimeout(() => aims.delete(callId), lateMs).unref(),
    close(): void {
      for (const { forget } of sentTo.values()) clearTimeout(forget);
    },
  };
}

export type NextHops = ReturnType<typeof createNextHops>;

function namedProtocol(transport: string | null): SipProtocol | null {
  return transport === "UDP" || transport === "TCP" || transport === "TLS" ? transport : null;
}
