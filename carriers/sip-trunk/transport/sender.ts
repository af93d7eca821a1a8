import type { NextHops } from "./next-hops.ts";
import { createRetransmissions } from "./retransmissions.ts";
import { setLatest } from "./set-latest.ts";
import { type SipTarget, targetKey } from "./sip-target.ts";
import { hasToTag, peekBranch, peekMethod, peekStatus, splitMessage, withoutStrictMark } from "./sip-text.ts";
import type { createStreams } from "./streams.ts";
import type { openUdp } from "./udp.ts";
import { placeOurAddress, readReplyPath, type Source, withoutReplyPath } from "./via.ts";

interface SenderOptions {
  udp: Awaited<ReturnType<typeof openUdp>>;
  streams: ReturnType<typeof createStreams>;
  nextHops: NextHops;
  ourAddress: (towards: string) => Promise<string>;
  /** Called before a request is sent; if it throws, nothing is sent there. */
  onRequest: (target: SipTarget) => void;
  onSent: (text: string, target: Omit<SipTarget, "serverName">) => void;
}

interface Local {
  host: string;
  port: number;
}

/**
 * Sends requests to their next hops, and responses back the way their requests came (RFC 3261, sections 18.1.1 and
 * 18.2.2).
 */
export function createSender({ udp, streams, nextHops, ourAddress, onRequest, onSent }: SenderOptions) {
  const retransmissions = createRetransmissions();
  const troubles = new Map<string, string>();
  /** Our address as each target knows it: what we wrote into the last request there. */
  const placedAt = new Map<string, Local>();

  const localTowards = async (address: string): Promise<Local> => ({
    host: await ourAddress(address),
    port: udp.port,
  });

  async function sendRequest(marked: string): Promise<void> {
    const target = await nextHops.of(splitMessage(marked).head);
    const text = withoutStrictMark(marked);
    const { head } = splitMessage(text);
    onRequest(target);
    nextHops.note(head, target);
    const place = (local: Local): string => {
      if (!hasToTag(head)) setLatest(placedAt, targetKey(target), local);
      const placed = placeOurAddress(text, target.protocol, local);
      onSent(placed, target);
      return placed;
    };
    if (target.protocol !== "UDP") return sendByStream(target, place);
    const placed = place(await localTowards(target.address));
    await udp.send(placed, target);
    const method = peekMethod(head) ?? "";
    // An ACK has no response: if it is lost, the final response is retransmitted.
    if (method === "ACK") return;
    const resend = (): void => void udp.send(placed, target).catch(() => {});
    retransmissions.start(`${peekBranch(head)} ${method}`, { uncapped: method === "INVITE", resend });
  }

  async function sendByStream(target: SipTarget, place: (local: Local) => string): Promise<void> {
    try {
      await streams.send(target, place);
      troubles.delete(targetKey(target));
    } catch (error) {
      setLatest(troubles, targetKey(target), codeOf(error));
      throw error;
    }
  }

  async function sendResponse(text: string, { once }: { once: boolean }): Promise<void> {
    const { head } = splitMessage(text);
    const path = readReplyPath(head);
    if (!path) throw new Error("This response answers a request that did not come by here.");
    const place = (local: Local): string => {
      const placed = placeOurAddress(withoutReplyPath(text), path.protocol, local);
      onSent(placed, path);
      return placed;
    };
    if (path.connectionId !== null) {
      if (!streams.reply(path.connectionId, place)) throw new Error("The connection that the request came by is gone.");
      return;
    }
    const placed = place(await localTowards(path.address));
    await udp.send(placed, path);
    if ((peekStatus(head) ?? 0) < 300 || peekMethod(head) !== "INVITE" || once) return;
    repeatRefusal(head, placed, path);
  }

  function repeatRefusal(head: string, placed: string, path: Source): void {
    const resend = (): void => void udp.send(placed, path).catch(() => {});
    retransmissions.start(`${peekBranch(head)} refusal`, { uncapped: false, resend });
  }

  return {
    sendRequest,
    sendResponse,
    /** A received message ends or slows down the retransmission of what it answers. */
    noteArrival(head: string): void {
      const status = peekStatus(head);
      const branch = peekBranch(head);
      const method = peekMethod(head);
      if (status === null) {
        if (method === "ACK") retransmissions.stop(`${branch} refusal`);
      } else if (status >= 200 || method === "INVITE") retransmissions.stop(`${branch} ${method}`);
      else retransmissions.slowDown(`${branch} ${method}`);
    },
    placedAt: (target: SipTarget): Local | null => placedAt.get(targetKey(target)) ?? null,
    /** The error code of the last failed connection there; null if it succeeded, or none was tried. */
    troubleWith: (target: SipTarget): string | null => troubles.get(targetKey(target)) ?? null,
    stop: retransmissions.stopAll,
  };
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.name : "unknown";
}
