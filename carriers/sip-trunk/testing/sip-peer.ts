import { randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, isIPv6, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

import { type Heard, readHeard } from "./heard.ts";

export interface SipPeerOptions {
  host?: string;
  port?: number;
  onHeard: (heard: Heard) => void;
}

interface Told {
  headers?: readonly string[];
  body?: string;
  /** The body's type; SDP by default. */
  contentType?: string;
}

/** A UDP far end whose every message the test writes itself: for what well-behaved programs never send. */
export async function openSipPeer({ host = "127.0.0.1", port = 0, onHeard }: SipPeerOptions) {
  const all: Heard[] = [];
  const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
  const listening = once(socket, "listening");
  socket.bind(port, host);
  await listening;
  const own = socket.address().port;
  socket.on("message", (datagram, from) => {
    const reply = (text: string): void => socket.send(text, from.port, from.address);
    const heard = readHeard(datagram.toString(), reply, () => {});
    all.push(heard);
    onHeard(heard);
  });

  function send(
    to: { address: string; port: number },
    lines: readonly string[],
    { headers = [], body = "", contentType = "application/sdp" }: Told,
  ): void {
    const [start = "", ...rest] = lines;
    const whole = [
      start,
      `Via: SIP/2.0/UDP ${host}:${own};branch=z9hG4bK${randomUUID()}`,
      ...rest,
      `Contact: <sip:peer@${host}:${own}>`,
      "Max-Forwards: 70",
      ...headers,
      ...(body === "" ? [] : [`Content-Type: ${contentType}`]),
      `Content-Length: ${body.length}`,
    ];
    socket.send(`${whole.join("\r\n")}\r\n\r\n${body}`, to.port, to.address);
  }

  return {
    port: own,
    all,
    socket,
    heard: (what: string): Heard[] => all.filter((each) => each.what === what),
    /** Sends a request within the dialog of an INVITE to us. */
    sendIn(invite: Heard, method: string, options: Told & { cseq: number }): void {
      const [, address = "", at = ""] = /<sip:[^@>]*@([\d.]+):(\d+)/.exec(invite.header("contact") ?? "") ?? [];
      const lines = [
        `${method} sip:agent@${address}:${at} SIP/2.0`,
        `From: ${invite.header("to")};tag=peer`,
        `To: ${invite.header("from")}`,
        `Call-ID: ${invite.header("call-id")}`,
        `CSeq: ${options.cseq} ${method}`,
      ];
      send({ address, port: Number(at) }, lines, options);
    },
    /** Sends an INVITE, or, with a remote tag, a request in its dialog. */
    sendCall(
      to: number,
      method: string,
      options: Told & { callId: string; cseq?: number; toTag?: string; from?: string },
    ) {
      const { callId, cseq = 1, toTag, from = "<sip:+442071838750@127.0.0.1>" } = options;
      const lines = [
        `${method} sip:+442079460123@127.0.0.1:${to} SIP/2.0`,
        `From: ${from};tag=peer`,
        `To: <sip:+442079460123@127.0.0.1>${toTag === undefined ? "" : `;tag=${toTag}`}`,
        `Call-ID: ${callId}`,
        `CSeq: ${cseq} ${method}`,
      ];
      send({ address: "127.0.0.1", port: to }, lines, options);
    },
    close: async (): Promise<void> => void socket.close(),
  };
}

/** The same over TCP, or over TLS with that key and certificate in PEM; it only responds. */
export async function openTcpPeer({
  host = "127.0.0.1",
  port = 0,
  onHeard,
  tls,
}: SipPeerOptions & { tls?: { key: string; cert: string } }) {
  const open = new Set<Socket>();
  const server = tls ? createTlsServer(tls, take) : createServer(take);

  function take(socket: Socket): void {
    open.add(socket);
    let held = "";
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    socket.on("data", (chunk) => {
      held += chunk.toString();
      for (let end = held.indexOf("\r\n\r\n"); end >= 0; end = held.indexOf("\r\n\r\n")) {
        const length = Number(/^content-length\s*:\s*(\d+)/im.exec(held.slice(0, end))?.[1] ?? 0);
        if (held.length < end + 4 + length) return;
        const text = held.slice(0, end + 4 + length);
        held = held.slice(end + 4 + length);
        onHeard(
          readHeard(
            text,
            (reply) => socket.write(reply),
            () => socket.end(),
          ),
        );
      }
    });
  }

  server.listen(port, host);
  await once(server, "listening");
  const bound = server.address();
  return {
    port: typeof bound === "object" && bound !== null ? bound.port : port,
    async close(): Promise<void> {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
