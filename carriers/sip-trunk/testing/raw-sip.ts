import { randomUUID } from "node:crypto";

import type { Place } from "./start-raw-peer.ts";

/** SIP text as a raw peer reads and writes it: by hand, sharing no code with what is tested. */
export interface RawMessage {
  /** The bytes as they arrived, decoded as UTF-8. */
  text: string;
  /** The method of a request ("INVITE"), or the status of a response ("200"). */
  what: string;
  body: string;
  /** The value of the first header of that name, exactly as written; undefined if there is none. */
  header(name: string): string | undefined;
  headers(name: string): string[];
}

export function readRaw(text: string): RawMessage {
  const end = text.indexOf("\r\n\r\n");
  const lines = (end < 0 ? text : text.slice(0, end)).split("\r\n");
  const [start = ""] = lines;
  const headers = (name: string): string[] =>
    lines
      .slice(1)
      .filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      .map((line) => line.slice(name.length + 1).trim());
  return {
    text,
    what: /^SIP\/2\.0 (\d{3})/.exec(start)?.[1] ?? start.split(" ")[0] ?? "",
    body: end < 0 ? "" : text.slice(end + 4),
    header: (name) => headers(name)[0],
    headers,
  };
}

export interface Parts {
  /** Additional complete header lines. */
  headers?: readonly string[];
  body?: string;
  contentType?: string;
  /** The complete Contact line; null leaves it out. */
  contact?: string | null;
}

const finish = (
  lines: readonly string[],
  { headers = [], body = "", contentType = "application/sdp", contact }: Parts,
): string =>
  [
    ...lines,
    ...(contact === null || contact === undefined ? [] : [contact]),
    ...headers,
    ...(body === "" ? [] : [`Content-Type: ${contentType}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");

/** toTag: null leaves it out. */
export function writeResponse(
  request: RawMessage,
  statusLine: string,
  { toTag = "peer", ...parts }: Parts & { toTag?: string | null } = {},
): string {
  const to = request.header("to") ?? "";
  const tag = toTag === null || /;\s*tag=/i.test(to) || statusLine.startsWith("100") ? "" : `;tag=${toTag}`;
  const lines = [
    `SIP/2.0 ${statusLine}`,
    ...request.headers("via").map((via) => `Via: ${via}`),
    ...request.headers("record-route").map((route) => `Record-Route: ${route}`),
    `From: ${request.header("from")}`,
    `To: ${to}${tag}`,
    `Call-ID: ${request.header("call-id")}`,
    `CSeq: ${request.header("cseq")}`,
  ];
  return finish(lines, parts);
}

export interface RawDialog {
  requestUri: string;
  /** The From of requests that the peer sends in the dialog. */
  from: string;
  to: string;
  callId: string;
  place: Place;
}

const uriIn = (contact: string | undefined): string => /<([^>]*)>/.exec(contact ?? "")?.[1] ?? contact ?? "";

/** The dialog of an INVITE that the peer received. toTag: the tag in the peer's response. */
export const dialogAsCallee = (invite: RawMessage & { from: Place }, toTag = "peer"): RawDialog => ({
  requestUri: uriIn(invite.header("contact")),
  from: `${invite.header("to")};tag=${toTag}`,
  to: invite.header("from") ?? "",
  callId: invite.header("call-id") ?? "",
  place: invite.from,
});

/** The dialog of an INVITE that the peer sent, from the response to it. */
export const dialogAsCaller = (response: RawMessage & { from: Place }): RawDialog => ({
  requestUri: uriIn(response.header("contact")),
  from: response.header("from") ?? "",
  to: response.header("to") ?? "",
  callId: response.header("call-id") ?? "",
  place: response.from,
});

export function writeInDialog(
  dialog: RawDialog & { sentBy: string; tcp?: boolean },
  method: string,
  { cseq, branch = `z9hG4bK${randomUUID()}`, ...parts }: Parts & { cseq: number; branch?: string },
): string {
  const lines = [
    `${method} ${dialog.requestUri} SIP/2.0`,
    `Via: SIP/2.0/${dialog.tcp === true ? "TCP" : "UDP"} ${dialog.sentBy};branch=${branch};rport`,
    "Max-Forwards: 70",
    `From: ${dialog.from}`,
    `To: ${dialog.to}`,
    `Call-ID: ${dialog.callId}`,
    `CSeq: ${cseq} ${method}`,
  ];
  return finish(lines, parts);
}
