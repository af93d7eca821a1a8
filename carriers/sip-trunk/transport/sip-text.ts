/** What the transport must know about a message before it is parsed; everything else is up to the core. */

const lineOf = (name: string, short: string | null): RegExp =>
  new RegExp(String.raw`^(?:${name}${short === null ? "" : `|${short}`})[ \t]*:[ \t]*(.*)$`, "im");
const patterns = {
  via: lineOf("via", "v"),
  from: lineOf("from", "f"),
  to: lineOf("to", "t"),
  callId: lineOf("call-id", "i"),
  cseq: lineOf("cseq", null),
  route: lineOf("route", null),
  contentLength: lineOf("content-length", "l"),
};

export type PeekedHeader = keyof typeof patterns;

export function splitMessage(text: string): { head: string; body: string } {
  const end = text.indexOf("\r\n\r\n");
  return end < 0 ? { head: text, body: "" } : { head: text.slice(0, end), body: text.slice(end) };
}

/** The value of the first header of that name; null if there is none. */
export function peekHeader(head: string, name: PeekedHeader): string | null {
  return patterns[name].exec(head)?.[1]?.trim() ?? null;
}

/** Of a status line; null for a request. */
export function peekStatus(head: string): number | null {
  const found = /^SIP\/2\.0 (\d{3})/i.exec(head);
  return found ? Number(found[1]) : null;
}

/** Replaces the tag that RFC 2543 peers omit. It never leaves this process. */
export const noTag = "leadline-no-tag";

/** The topmost Via's branch. Without one, the values that identify such transactions (RFC 3261, section 17.2.3). */
export const peekBranch = (head: string): string =>
  /;\s*branch\s*=\s*([^;,\s]+)/i.exec(peekHeader(head, "via") ?? "")?.[1] ??
  `none ${peekHeader(head, "callId")} ${parseInt(peekHeader(head, "cseq") ?? "", 10)} ${peekTag(head, "from")}`;

/** The method of the transaction, for a request and its responses alike. */
export const peekMethod = (head: string): string | null =>
  /^\d+\s+(\S+)/.exec(peekHeader(head, "cseq") ?? "")?.[1]?.toUpperCase() ?? null;

export const peekTag = (head: string, side: "from" | "to"): string | null =>
  /;\s*tag\s*=\s*([^;,\s>]+)/i.exec(peekHeader(head, side) ?? "")?.[1] ?? null;

export const hasToTag = (head: string): boolean => peekTag(head, "to") !== null;

export interface HostAndPort {
  host: string;
  port: number | null;
  /** As in the URI (RFC 3261, section 19.1.1), in upper case. */
  transport: string | null;
  /** Whether it is a sips URI: TLS on every hop (section 26.2.2). */
  secure: boolean;
}

const startOfUri = /^(sips?):(?:[^@>]*@)?(\[[^\]>]+\]|[^:;>?\s,[\]]+)(?::(\d{1,5}))?([^>?]*)/i;

/**
 * The host and port of a SIP URI, which may stand in angle brackets after a name; without the brackets of an IPv6 address. Null
 * for anything else.
 */
export function readHostAndPort(uri: string): HostAndPort | null {
  const found = startOfUri.exec(uri.slice(uri.indexOf("<") + 1).trimStart());
  if (!found) return null;
  const [, scheme = "", host = "", port, params = ""] = found;
  const parameter = (name: string) => new RegExp(String.raw`;\s*${name}\s*=\s*([^;\s>]+)`, "i").exec(params)?.[1];
  return {
    host: parameter("maddr") ?? host.replaceAll(/^\[|\]$/g, ""),
    port: port === undefined ? null : Number(port),
    transport: parameter("transport")?.toUpperCase() ?? null,
    secure: scheme.toLowerCase() === "sips",
  };
}

/**
 * A header line of requests whose first hop is a strict router: they go to their request URI, whatever the first route
 * (RFC 3261, section 12.2.1.1). It never leaves this process.
 */
export const strictMark = "Leadline-Strictly-Routed: yes";

export const withoutStrictMark = (text: string): string => text.replace(`\r\n${strictMark}\r\n`, "\r\n");

/**
 * Where a request goes next: its first route, otherwise its target (RFC 3261, section 8.1.2). A first route that isn't
 * loose was left by a strict router.
 */
export function peekNextHop(head: string): HostAndPort | null {
  const isStrict = head.includes(`\r\n${strictMark}`);
  const route = isStrict ? "" : (peekHeader(head, "route")?.split(",")[0] ?? "");
  return readHostAndPort(/;\s*lr\b/i.test(route) ? route : (/^\S+ (\S+) SIP\/2\.0/i.exec(head)?.[1] ?? ""));
}

/** `host:port`, as in a Via or a URI. */
export const hostPort = (host: string, port: number): string => `${host.includes(":") ? `[${host}]` : host}:${port}`;
