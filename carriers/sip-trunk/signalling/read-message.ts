import { IncomingRequestMessage, IncomingResponseMessage } from "sip.js/lib/core/index.js";
import { NameAddrHeader, type URI } from "sip.js/lib/grammar/index.js";

import { noTag, peekBranch, splitMessage } from "../transport/sip-text.ts";
import { sdpIn } from "./session-body.ts";
import { readNameAddress, readUri, splitOutsideQuotes, VerbatimUri } from "./verbatim-uri.ts";

export interface Problem {
  statusCode: number;
  reasonPhrase: string;
}

/** problem: why it isn't acceptable. A request with a problem can still be answered. */
export type Read =
  | { message: IncomingRequestMessage | IncomingResponseMessage; problem: Problem | null }
  | { message: null; why: string };

const bad = (reasonPhrase: string): Problem => ({ statusCode: 400, reasonPhrase });
const unreadable = new NameAddrHeader(
  new VerbatimUri("sip:unreadable.invalid", {
    scheme: "sip",
    user: "",
    host: "unreadable.invalid",
    port: undefined,
    userParameters: new Map(),
    parameters: new Map(),
  }),
  "",
  {},
);

/**
 * Parses a message that tidyMessage has normalised, for the library. The library's own parser drops whatever its
 * grammar doesn't cover; this one keeps what it understands and reports what it doesn't.
 */
export function readMessage(text: string): Read {
  const { head, body } = splitMessage(text);
  const [start = "", ...lines] = head.split("\r\n");
  const begun = readStart(start);
  if (!begun) return { message: null, why: "It can't be read as a SIP message." };
  const { message } = begun;
  let { problem } = begun;
  message.data = text;
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) addHeader(message, line.slice(0, colon).trim(), line.slice(colon + 1).trim());
    else if (line.trim() !== "") problem ??= bad("Bad Header");
  }
  for (const name of ["via", "from", "to", "call-id", "cseq"])
    if (!message.getHeader(name)) return { message: null, why: `It has no ${name} header.` };

  for (const side of ["from", "to"] as const) {
    const read = readNameAddress(message.getHeader(side) ?? "");
    if (!read) problem ??= bad(`Bad ${side === "from" ? "From" : "To"}`);
    message[side] = read ?? unreadable;
    setParsed(message, side, message[side]);
  }
  message.fromTag = message.from.getParam("tag") || noTag;
  message.toTag = message.to.getParam("tag") ?? "";
  message.callId = message.getHeader("call-id") ?? "";
  message.viaBranch = peekBranch(head);
  const cseq = /^(\d{1,10}) (\S+)$/.exec(message.getHeader("cseq") ?? "");
  message.cseq = Number(cseq?.[1]);
  if (!cseq) return { message: null, why: "Its CSeq header can't be read." };
  if (message instanceof IncomingResponseMessage) message.method = cseq[2] ?? "";
  message.body = bodyOf(message, body);
  keepDescription(message);
  return { message, problem };
}

function readStart(
  line: string,
): { message: IncomingRequestMessage | IncomingResponseMessage; problem: Problem | null } | null {
  const answered = /^SIP\/2\.0 (\d{3})(?: (.*))?$/.exec(line);
  if (answered) {
    const message = new IncomingResponseMessage();
    message.statusCode = Number(answered[1]);
    message.reasonPhrase = answered[2] ?? "";
    return message.statusCode >= 100 && message.statusCode < 700 ? { message, problem: null } : null;
  }
  const [, method, written = ""] = /^([\w!%*+`'~.-]+) (.*) SIP\/\d+\.\d+$/.exec(line) ?? [];
  if (method === undefined) return null;
  const message = new IncomingRequestMessage();
  message.method = method;
  const ruri = readUri(written.replace(/^<(.*)>$/, "$1"));
  message.ruri = ruri ?? unreadable.uri;
  const isForeign = !ruri && /^[a-z][\w+.-]*:/i.test(written) && !/^(sips?|tel):/i.test(written);
  if (isForeign) return { message, problem: { statusCode: 416, reasonPhrase: "Unsupported URI Scheme" } };
  return { message, problem: ruri ? null : bad("Bad Request-URI") };
}

/** The methods whose bodies the library reads. */
const negotiating = /^(INVITE|ACK|PRACK|UPDATE)$/;

/** Headers that the library reads one value at a time. */
const lists = new Set(["contact", "record-route"]);

function addHeader(message: IncomingRequestMessage | IncomingResponseMessage, name: string, value: string): void {
  const key = name.toLowerCase();
  if (!lists.has(key)) return message.addHeader(key, value);
  for (const each of splitOutsideQuotes(value, ",")) {
    const read = readNameAddress(each);
    // An unreadable one is treated as missing; the star of a REGISTER isn't for us.
    if (!read) continue;
    message.addHeader(key, each.trim());
    setParsed(message, key, read);
  }
}

/** Sets the parsed value of the header added last, so that the library doesn't apply its own grammar. */
export function setParsed(
  message: IncomingRequestMessage | IncomingResponseMessage,
  name: string,
  parsed: unknown,
): void {
  // The library's spelling, such as Call-ID and WWW-Authenticate.
  const key = Object.keys(message.headers).find((each) => each.toLowerCase() === name);
  const last = key !== undefined && message.headers[key]?.at(-1);
  if (last) last.parsed = parsed;
}

/** Gives a message without a Contact this one. */
export function setContact(message: IncomingRequestMessage | IncomingResponseMessage, uri: URI): void {
  message.addHeader("contact", `<${uri.toRaw()}>`);
  setParsed(message, "contact", new NameAddrHeader(uri, "", {}));
}

/**
 * The library only looks for an offer or answer in plain SDP bodies: drops the other parts of a multipart body. It drops
 * a whole message whose body has no type, so such a body is left out instead.
 */
function keepDescription(message: IncomingRequestMessage | IncomingResponseMessage): void {
  const sdp = sdpIn(message);
  if (sdp === "" && !message.hasHeader("content-type") && negotiating.test(message.method)) message.body = "";
  if (sdp === "") return;
  message.body = sdp;
  message.setHeader("content-type", "application/sdp");
}

/** Content-Length counts bytes; in a datagram it may be missing (RFC 3261, section 18.3). */
function bodyOf(message: IncomingRequestMessage | IncomingResponseMessage, after: string): string {
  const body = after.slice("\r\n\r\n".length);
  const length = message.getHeader("content-length");
  // Without a length, line ends behind the head are no body.
  if (length === undefined || !/^\d+$/.test(length)) return body.trim() === "" ? "" : body;
  return Buffer.from(body).subarray(0, Number(length)).toString();
}
