import type { IncomingRequestMessage } from "sip.js/lib/core/index.js";

import { splitMessage } from "../transport/sip-text.ts";
import type { Source } from "../transport/via.ts";

export const supportedExtensions = ["100rel", "timer"] as const;

export interface Refusal {
  statusCode: number;
  reasonPhrase?: string;
  extraHeaders?: string[];
}

/** Headers that a message may contain once, by their long and short names; with two of them it would be ambiguous. */
const single = ["call-id|i", "cseq", "from|f", "to|t", "content-length|l", "max-forwards"].map(
  (names) => new RegExp(`^(?:${names})[ \t]*:`, "gim"),
);

/** What the library accepts although it can't be answered correctly (RFC 3261, section 8.2). */
export function whyNotUnderstood(message: IncomingRequestMessage, source: Source): Refusal | null {
  const { head, body } = splitMessage(message.data);
  if (!/ SIP\/2\.0$/i.test(head.slice(0, head.indexOf("\r\n")))) return { statusCode: 505 };
  const bad = whyBad(message, head, body);
  if (bad !== null) return { statusCode: 400, reasonPhrase: bad };

  // A sips URI that arrived over TLS meets its own requirement (section 26.2.2).
  if (message.ruri?.scheme === "sips" && source.protocol !== "TLS") return { statusCode: 416 };
  const required = message.getHeaders("require").flatMap((each) => each.split(",").map((tag) => tag.trim()));
  const unknown = required.filter(
    (tag) => tag !== "" && !supportedExtensions.some((known) => known === tag.toLowerCase()),
  );
  if (unknown.length > 0 && message.method !== "CANCEL")
    return { statusCode: 420, extraHeaders: [`Unsupported: ${unknown.join(", ")}`] };

  const isRead = message.body !== "" && (message.method === "INVITE" || message.method === "UPDATE");
  if (isRead && isEncoded(message)) return { statusCode: 415, extraHeaders: ["Accept-Encoding: identity"] };
  const isSdp = /^application\/sdp\s*(;|$)/i.test(message.getHeader("content-type") ?? "");
  if (message.method === "INVITE" && message.body !== "" && !isSdp)
    return { statusCode: 415, extraHeaders: ["Accept: application/sdp"] };
  return null;
}

const isEncoded = (message: IncomingRequestMessage): boolean =>
  message
    .getHeaders("content-encoding")
    .flatMap((each) => each.split(","))
    .some((coding) => !["", "identity"].includes(coding.trim().toLowerCase()));

function whyBad(message: IncomingRequestMessage, head: string, body: string): string | null {
  if (single.some((pattern) => (head.match(pattern)?.length ?? 0) > 1)) return "Header Repeated";
  if (message.cseq >= 2 ** 31) return "Bad CSeq";
  const method = message.getHeader("cseq")?.trim().split(/\s+/).at(-1);
  if (method !== message.method) return "Method Mismatch";
  const length = message.getHeader("content-length");
  if (length !== undefined && !/^\d+$/.test(length)) return "Bad Content-Length";
  const came = Buffer.byteLength(body) - "\r\n\r\n".length;
  return length !== undefined && came < Number(length) ? "Body Cut Off" : null;
}
