import { hostPort, peekHeader, splitMessage } from "./sip-text.ts";
import type { SipProtocol } from "./sip-target.ts";

/**
 * The placeholder for our own address in the core's messages: only the transport knows which address a message leaves
 * from.
 */
export const ourAddress = "trunk.invalid";
/** Marks the path of a request in its topmost Via, which every response repeats. It never leaves this process. */
const pathParameter = "leadline-path";

export interface Source {
  protocol: SipProtocol;
  address: string;
  port: number;
  /** Null over UDP. */
  connectionId: number | null;
}

/**
 * A request's topmost Via, with its source in `received` and `rport`, as the server transport writes it (RFC 3581,
 * section 4).
 */
export function markReplyPath(via: string, source: Source): string {
  const end = endOfFirst(via);
  const top = via.slice(0, end);
  const asksForPort = /;\s*rport\s*(?=;|$)/i.test(top);
  const sentBy = /^SIP\s*\/\s*2\.0\s*\/\s*\w+\s+(\[[^\]]*\]|[^:;\s]+)(?:\s*:\s*(\d+))?/i.exec(top.trim());
  const port = asksForPort || source.protocol !== "UDP" ? source.port : Number(sentBy?.[2] ?? 5060);
  const path = Buffer.from(JSON.stringify({ ...source, port })).toString("hex");
  const numbered = asksForPort ? top.replace(/;\s*rport\s*(?=;|$)/i, `;rport=${source.port}`) : top;
  const received = asksForPort || sentBy?.[1] !== source.address ? `;received=${source.address}` : "";
  return `${numbered}${received};${pathParameter}=${path}${via.slice(end)}`;
}

/** A line may contain several. */
function endOfFirst(via: string): number {
  let quoted = false;
  for (let i = 0; i < via.length; i++) {
    if (via[i] === '"' && via[i - 1] !== "\\") quoted = !quoted;
    if (via[i] === "," && !quoted) return i;
  }
  return via.length;
}

const pathPattern = new RegExp(String.raw`;${pathParameter}=([0-9a-f]+)`);

/** What markReplyPath wrote, and no one else: a peer's own parameter of that name is removed on arrival. */
export function readReplyPath(head: string): Source | null {
  const found = pathPattern.exec(peekHeader(head, "via") ?? "");
  return found ? (JSON.parse(Buffer.from(found[1] ?? "", "hex").toString()) as Source) : null;
}

/** The same for a request that the core has parsed. */
export const sourceOf = (request: { getHeader(name: string): string | undefined }): Source | null =>
  readReplyPath(`Via: ${request.getHeader("via") ?? ""}`);

export const withoutReplyPath = (text: string): string => text.replaceAll(new RegExp(pathPattern, "g"), "");

/** Fills in our address in Via and Contact, in the head only. */
export function placeOurAddress(text: string, protocol: SipProtocol, local: { host: string; port: number }): string {
  const { head, body } = splitMessage(text);
  const at = hostPort(local.host, local.port);
  const parameter = protocol === "UDP" ? "" : `;transport=${protocol.toLowerCase()}`;
  const placed = head
    .replace(new RegExp(String.raw`^(Via: SIP/2\.0/)\w+ ${ourAddress}`, "im"), `$1${protocol} ${at}`)
    .replaceAll(new RegExp(String.raw`(sip:[^@>\s]*@)${ourAddress}(?=[;>])`, "g"), `$1${at}${parameter}`);
  return placed + body;
}
