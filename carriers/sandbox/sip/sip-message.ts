/** A SIP message, as far as the sandbox vendors need it (RFC 3261). */
export interface SipMessage {
  /** Null for a response. */
  method: string | null;
  uri: string;
  /** 0 for a request. */
  status: number;
  reason: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
}

export function readSip(text: string): SipMessage | null {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(":");
    return colon < 1 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
  });
  const body = rest.join("\r\n\r\n");
  const response = /^SIP\/2\.0 (\d{3}) ?(.*)$/.exec(first);
  if (response) return { method: null, uri: "", status: Number(response[1]), reason: response[2] ?? "", headers, body };
  const request = /^([A-Z]+) (\S+) SIP\/2\.0$/.exec(first);
  return request && { method: request[1] ?? "", uri: request[2] ?? "", status: 0, reason: "", headers, body };
}

export const header = ({ headers }: Pick<SipMessage, "headers">, name: string): string =>
  headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1] ?? "";

const all = ({ headers }: SipMessage, name: string): [string, string][] =>
  headers.flatMap(([each, value]): [string, string][] => (each.toLowerCase() === name ? [[each, value]] : []));

export const write = (first: string, headers: readonly (readonly [string, string])[], body = ""): string =>
  [
    first,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === "" ? [] : ["Content-Type: application/sdp"]),
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");

/** Writes a response with the headers it copies from the request. `tag` is our side's. */
export function respond(
  request: SipMessage,
  status: number,
  { reason, tag, headers = [], body = "" }: RespondWith,
): string {
  const to = header(request, "to");
  return write(
    `SIP/2.0 ${status} ${reason}`,
    [
      ...all(request, "via"),
      ...all(request, "record-route"),
      ["From", header(request, "from")],
      ["To", status === 100 || /;\s*tag=/.test(to) ? to : `${to};tag=${tag}`],
      ["Call-ID", header(request, "call-id")],
      ["CSeq", header(request, "cseq")],
      ...headers,
    ],
    body,
  );
}
interface RespondWith {
  reason: string;
  tag: string;
  headers?: readonly (readonly [string, string])[];
  body?: string;
}

/** The URI in a From, To or Contact header: the part between angle brackets, or all of it. */
export const uriIn = (value: string): string => /<([^>]*)>/.exec(value)?.[1] ?? value.split(";")[0] ?? "";

export const userIn = (value: string): string => /^sips?:([^@;>]*)@/.exec(uriIn(value))?.[1] ?? "";

/** The host and port of a URI, as a Via header has them. */
export const hostPortIn = (uri: string): string => /^sips?:(?:[^@]*@)?([^;>]*)/.exec(uri)?.[1] ?? "";

/** The host and port of a URI, over UDP. */
export function placeIn(uri: string): { host: string; port: number } | null {
  const found = /^sips?:(?:[^@]*@)?(\[[^\]]*\]|[^:;>]+)(?::(\d+))?/.exec(uri);
  const port = Number(found?.[2] ?? 5060);
  return found && port > 0 && port <= 65_535 ? { host: found[1] ?? "", port } : null;
}
