import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";

import { createInbox } from "./inbox.ts";
import { dialogAsCallee, dialogAsCaller, type RawMessage, readRaw, writeInDialog, writeResponse } from "./raw-sip.ts";

/** Where a message goes: an address over UDP, or the TCP connection that a message arrived on. */
export interface Place {
  address: string;
  port: number;
  connection?: Socket;
}

export interface Received extends RawMessage {
  from: Place;
  atMs: number;
}

export interface RawPeerOptions {
  host?: string;
  port?: number;
  /** Listens on TCP rather than UDP. */
  tcp?: boolean;
  /** Answers OPTIONS and REGISTER with 200, so that a trunk counts as reachable. On by default. */
  answersKeepAlive?: boolean;
}

export type RawPeer = Awaited<ReturnType<typeof startRawPeer>>;

/**
 * A SIP peer that sends exactly the bytes a test gives it and records exactly the bytes that arrive. No library is involved.
 *
 *     const peer = await startRawPeer();
 *     const invite = await peer.next("INVITE");
 *     peer.reply(invite, "180 Ringing", { toTag: null });            // a response, with deviations
 *     peer.send(writeResponse(invite, "200 OK").replace("CSeq:", "cseq :"), invite.from); // any bytes at all
 *     peer.request(dialogAsCallee(invite), "BYE", { cseq: 1 });      // a request inside the dialog
 */
export async function startRawPeer(options: RawPeerOptions = {}) {
  const { host = "127.0.0.1", port = 0, tcp = false, answersKeepAlive = true } = options;
  const inbox = createInbox();
  const socket = tcp ? null : createSocket("udp4");
  const connections = new Set<Socket>();
  const server = tcp ? createServer(take) : null;

  function take(connection: Socket): void {
    connections.add(connection);
    connection.on("error", () => {});
    connection.on("close", () => connections.delete(connection));
    const from = { address: connection.remoteAddress ?? "", port: connection.remotePort ?? 0, connection };
    connection.on(
      "data",
      splitStream((bytes) => record(bytes, from)),
    );
  }

  function record(bytes: Buffer, from: Place): void {
    const message = { ...readRaw(bytes.toString()), from, atMs: performance.now() };
    if (answersKeepAlive && (message.what === "OPTIONS" || message.what === "REGISTER"))
      send(writeResponse(message, "200 OK", { headers: ["Expires: 3600"] }), from);
    inbox.put(message);
  }

  function send(bytes: string | Buffer, to: Place): void {
    if (to.connection) to.connection.write(bytes);
    else socket?.send(bytes, to.port, to.address);
  }

  if (socket) {
    // A datagram without text is a keep-alive.
    socket.on("message", (bytes, { address, port: from }) => {
      if (bytes.toString().trim() !== "") record(bytes, { address, port: from });
    });
    const listening = once(socket, "listening");
    socket.bind(port, host);
    await listening;
  } else if (server) {
    server.listen(port, host);
    await once(server, "listening");
  }
  const bound = socket?.address() ?? server?.address();
  const own = typeof bound === "object" && bound !== null ? bound.port : port;
  const contact = `Contact: <sip:peer@${host}:${own}${tcp ? ";transport=tcp" : ""}>`;

  return {
    host,
    port: own,
    /** The complete Contact line, as this peer writes it by default. */
    contact,
    received: inbox.received,
    all: inbox.all,
    next: inbox.next,
    /** Sends exactly these bytes. */
    send,
    /** A well-formed response, except for what `parts` changes. Returns what was sent. */
    reply(request: Received, statusLine: string, parts: Parameters<typeof writeResponse>[2] = {}): string {
      const text = writeResponse(request, statusLine, { contact, ...parts });
      send(text, request.from);
      return text;
    },
    /** A well-formed request inside a dialog, except for what `parts` changes. Returns what was sent. */
    request(
      dialog: ReturnType<typeof dialogAsCallee>,
      method: string,
      parts: Parameters<typeof writeInDialog>[2],
      to: Place = dialog.place,
    ): string {
      const text = writeInDialog({ ...dialog, sentBy: `${host}:${own}`, tcp }, method, { contact, ...parts });
      send(text, to);
      return text;
    },
    /** The text of an INVITE, or another request outside any dialog, to a trunk that listens on this port. */
    write(
      method: string,
      to: Place & { user?: string },
      parts: { callId: string } & Partial<Parameters<typeof writeInDialog>[2]>,
    ) {
      const { user = "+442079460123" } = to;
      const dialog = {
        requestUri: `sip:${user}@${to.address}:${to.port}`,
        from: `<sip:+442071838750@${host}>;tag=peer`,
        to: `<sip:${user}@${to.address}>`,
        callId: parts.callId,
        place: to,
      };
      return writeInDialog({ ...dialog, sentBy: `${host}:${own}`, tcp }, method, { contact, cseq: 1, ...parts });
    },
    asCallee: dialogAsCallee,
    asCaller: dialogAsCaller,
    async close(): Promise<void> {
      socket?.close();
      for (const connection of connections) connection.destroy();
      if (server) await new Promise((done) => server.close(done));
    },
  };
}

/** Splits a TCP stream into messages by their Content-Length. */
function splitStream(take: (message: Buffer) => void): (chunk: Buffer) => void {
  let held = "";
  return (chunk) => {
    held = (held + chunk.toString("latin1")).replace(/^[\r\n]+/, "");
    for (let end = held.indexOf("\r\n\r\n"); end >= 0; end = held.indexOf("\r\n\r\n")) {
      const size = end + 4 + Number(/^(?:content-length|l)\s*:\s*(\d+)/im.exec(held.slice(0, end))?.[1] ?? 0);
      if (held.length < size) return;
      take(Buffer.from(held.slice(0, size), "latin1"));
      held = held.slice(size).replace(/^[\r\n]+/, "");
    }
  };
}
